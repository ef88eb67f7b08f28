import { createHash } from 'node:crypto';
import { count, type Markup, shortName, trusted } from '../src/card.ts';
import type { Before, Kept, Preview, Read, ReadRules, Verdict } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import type { NetworkInterface } from './options.ts';

/** The current settings, which must still hold when the change is sent. */
export const look = async (...of: Reading): Promise<Preview> => lookOf(await readFirewall(of));

type Reading = [target: Server, input: { interface: NetworkInterface }, read: Read<'firewall'>];

const readFirewall = ([target, input, read]: Reading) =>
  read('firewall', { serverId: target.id, interface: input.interface });

const lookOf = ({
  enabled,
  rules,
}: Awaited<ReturnType<typeof readFirewall>>): Preview & Required<Pick<Preview, 'facts'>> => ({
  facts: { enabled, rules: rules.length },
  says: [
    trusted(
      `${count(rules.length, 'rule is', 'rules are')} set now. The firewall is ${enabled ? 'enabled' : 'disabled'}.`,
    ),
  ],
});

/** The same before all rules are removed: which they are is kept, and must still hold, too. */
export async function lookToKeep(...of: Reading): Promise<Preview> {
  const [, { interface: networkInterface }] = of;
  const found = await readFirewall(of);
  const { facts, says } = lookOf(found);
  const kept = keptOf(found.rules, networkInterface);
  return { facts: { ...facts, content: kept.sha256.slice(0, 12) }, says, kept };
}

/** What is set right after a change, without the rules themselves. */
export async function readBack(...of: Reading): Promise<ReadRules> {
  const [, { interface: networkInterface }] = of;
  const { rules: _listed, ...rules } = keptOf((await readFirewall(of)).rules, networkInterface);
  return rules;
}

/** What is set now. Of several servers, a sentence each would not fit a phone: the numbers, and which are disabled. */
export function setNow(targets: readonly Server[], looks: readonly Preview[]): Markup[] {
  if (targets.length === 1) return looks.flatMap(({ says }) => says);
  const known = targets.flatMap((target, i) => {
    const { rules, enabled } = looks[i]?.facts ?? {};
    return rules === undefined ? [] : [{ name: shortName(target), rules, enabled }];
  });
  if (known.length === 0) return [];
  const off = known.filter(({ enabled }) => enabled === false).map(({ name }) => name);
  const which =
    off.length === 0 ? 'all enabled' : off.length === known.length ? 'all disabled' : `${off.join(', ')} disabled`;
  return [trusted(`Rules set now: ${known.map(({ name, rules }) => `${name}: ${rules}`).join(', ')}; ${which}.`)];
}

/** The panel's interface says what a flush leaves, and not what that lets through. */
const unspecified = 'the panel does not say what that lets through';
export const withoutRule = `without a rule: ${unspecified}.`;

/** What removing all rules leaves where the firewall is enabled. */
export const staysOn = (found: readonly Before[]): Markup[] =>
  found.some(({ enabled }) => enabled === true)
    ? [trusted(`${found.length === 1 ? 'The firewall stays' : 'Enabled firewalls stay'} on: ${unspecified}.`)]
    : [];

interface Found {
  enabled: boolean;
  rules: number;
}

/** What the state before and the state now say of a change. `isSame`: whether the very same rules are set, if known. */
type Judge = (now: Found, before: Partial<Found>, isSame?: boolean) => Pick<Verdict, 'happened'> & { says: string };

const cannotTell = 'This does not show whether it was done:';

export const switchedCheck =
  (to: boolean): Judge =>
  (now, before) => {
    const is = `the firewall is ${word(now.enabled)}`;
    if (now.enabled !== to) return { happened: false, says: `It looks as if it did not happen: ${is}.` };
    if (before.enabled === undefined) return { happened: true, says: `${capital(is)}, as asked for.` };
    return before.enabled === to
      ? { says: `${cannotTell} ${is}, and was before.` }
      : { happened: true, says: `It looks as if it happened: ${is}.` };
  };

export const flushedCheck: Judge = (now, before, isSame) => {
  if (now.rules === 0)
    return before.rules === 0
      ? { says: `${cannotTell} no rule is set, and none was before.` }
      : { happened: true, says: 'It looks as if it happened: no rule is left.' };
  if (isSame === true)
    return { happened: false, says: `It looks as if it did not happen: ${rulesAre(now)} set, the same as before.` };
  if (isSame === false && before.rules === now.rules)
    return { says: `${cannotTell} ${rulesAre(now)} set, as many as before, but not the same.` };
  return before.rules === undefined || before.rules === now.rules
    ? { happened: false, says: `It looks as if it did not happen: ${rulesAre(now)} set.` }
    : { says: `${cannotTell} ${rulesAre(now)} set, neither none nor as many as before.` };
};

export const replacedCheck: Judge = (now, before, isSame) => {
  if (isSame === true)
    return {
      happened: false,
      says: `It looks as if it did not happen: ${rulesAre(now)} set, the same as before. If these rulesets give the same rules, it may have.`,
    };
  if (isSame === false && before.rules === now.rules)
    return { happened: true, says: `It looks as if it happened: ${rulesAre(now)} set, not the same as before.` };
  return before.rules === undefined || before.rules === now.rules
    ? { says: `${cannotTell} ${rulesAre(now)} set${before.rules === undefined ? '' : ', as many as before'}.` }
    : { happened: true, says: `It looks as if it happened: ${rulesAre(now)} set, and ${before.rules} before.` };
};

const rulesAre = ({ rules }: Found): string => count(rules, 'rule is', 'rules are');
const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
const word = (enabled: boolean): string => (enabled ? 'enabled' : 'disabled');

/** Reads the firewall, and says what it tells of an unknown run. */
export const firewallCheck =
  (judge: Judge) =>
  async (
    target: Server,
    input: { interface: NetworkInterface; sync: boolean },
    read: Read<'firewall'>,
    facts: Before | undefined,
    kept: Kept | undefined,
  ): Promise<Verdict> => {
    const { enabled, rules } = await read('firewall', { serverId: target.id, interface: input.interface });
    const [now, before] = [{ enabled, rules: rules.length }, foundIn(facts)];
    const isSame = kept && kept.sha256 === keptOf(rules, input.interface).sha256;
    const { says, ...verdict } = judge(now, before, isSame);
    const { enabled: wasEnabled, rules: wereSet } = before;
    const was = [
      ...(wereSet === undefined ? [] : [count(wereSet, 'rule')]),
      ...(wasEnabled === undefined ? [] : [`firewall ${word(wasEnabled)}`]),
    ];
    return {
      ...verdict,
      fact: trusted(says),
      says: [
        trusted(was.length === 0 ? 'Before: not read.' : `Before: ${was.join(', ')}.`),
        trusted(`Now: ${found(now)}.`),
        ...(input.sync
          ? [trusted('That is what is stored. Whether it was applied to the running server cannot be read.')]
          : []),
      ],
    };
  };

const found = (each: Found): string => `${count(each.rules, 'rule')}, firewall ${word(each.enabled)}`;

const foundIn = ({ enabled, rules }: Before = {}): Partial<Found> => ({
  ...(typeof enabled === 'boolean' ? { enabled } : {}),
  ...(typeof rules === 'number' ? { rules } : {}),
});

/** In bytes, some 1,200 rules: an entry of the ledger is one line, and each is read and hashed at a start. */
const maxKept = 128 * 1024;
/** The panel documents no field of a rule. What lies deeper than this is no rule that a person could read. */
const maxDepth = 20;

/** Rules as the panel listed them. They themselves are left out where they are too large to keep. */
export function keptOf(rules: readonly unknown[], networkInterface: NetworkInterface): Kept {
  let isDeep = false;
  /** JSON with its members in order: the same rule gives the same text. */
  const textOf = (value: unknown, depth = 0): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (depth === maxDepth) {
      isDeep = true;
      return '…';
    }
    if (Array.isArray(value)) return `[${value.map((each) => textOf(each, depth + 1)).join(',')}]`;
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${textOf(member, depth + 1)}`).join(',')}}`;
  };
  const texts = rules.map((rule) => textOf(rule));
  const all = texts.join('\n');
  const isKept = !isDeep && Buffer.byteLength(all) <= maxKept;
  return {
    interface: networkInterface,
    count: rules.length,
    sha256: createHash('sha256').update(all).digest('hex'),
    ...(isKept ? { rules: texts } : {}),
  };
}
