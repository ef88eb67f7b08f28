/** A firewall rule; the panel's document does not define its shape. */
export type Rule = Record<string, unknown>;

/** A rule that accepts traffic. */
export function rule(id: number, protocol: string, port: string, source = '0.0.0.0/0'): Rule {
  return { id, direction: 'in', action: 'accept', protocol, port, source };
}

/** The rules of the known rulesets, by ruleset id. */
export function createRulesets(): Record<number, Rule[]> {
  return {
    1: [rule(11, 'tcp', '22', '192.0.2.0/24')],
    2: [rule(21, 'tcp', '80'), rule(22, 'tcp', '443')],
    3: [rule(31, 'tcp', '5432', '192.0.2.0/24')],
    4: [rule(41, 'tcp', '25'), rule(42, 'tcp', '465'), rule(43, 'tcp', '993')],
    5: [rule(51, 'icmp', '')],
  };
}
