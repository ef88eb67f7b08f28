import { describe, expect, it } from 'vitest';
import { concerns, direction, port, ruleLines, ruleOf, source, type Wanted } from '../../commands/rules.ts';
import { at, now } from '../helpers/commands/typed.ts';

const linesOf = (...rules: unknown[]): string => `\n${ruleLines(rules.map(ruleOf)).join('\n')}\n`;

const refuse = (rule: string): never => {
  throw new Error(rule);
};
const wanted = (raw: { port?: number; source?: string; direction?: string }): Wanted => ({
  port: port.read(raw.port, { ...at(now), refuse }),
  source: source.read(raw.source, { ...at(now), refuse }),
  direction: direction.read(raw.direction, { ...at(now), refuse }),
});
const ask = (rule: unknown, raw: Parameters<typeof wanted>[0]): string => concerns(ruleOf(rule, 0), wanted(raw));

describe('a rule is a line', () => {
  it('in columns, and fields that nobody knows stand below it', () => {
    expect(
      linesOf(
        { direction: 'in', action: 'accept', protocol: 'tcp', port: 22, source: '192.0.2.0/24', id: 7 },
        { direction: 'out', action: 'drop', protocol: 'icmp', port: '', source: '', comment: 'no `pings`, @here' },
      ),
    ).toBe(`
1 accept in  tcp 22
  from 192.0.2.0/24 id=7
2 drop   out icmp
  comment="no \`pings\`, @here"
`);
  });

  it('with room between the columns where a phone has it', () => {
    expect(linesOf({ direction: 'in', protocol: 'udp', port: '53', action: 'drop' })).toBe(`
1  drop  in  udp 53
`);
  });

  it('in two where one is too wide for a phone', () => {
    expect(
      linesOf(
        { direction: 'in', protocol: 'tcp', port: '1024-65535', source: '2001:db8:1234::/48', action: 'accept' },
        { direction: 'in', protocol: 'udp', port: '53', action: 'accept' },
      ),
    ).toBe(`
1 accept in tcp 1024-65535
  from 2001:db8:1234::/48
2 accept in udp 53
`);
  });

  it('whatever it is', () => {
    expect(linesOf('tcp', null, [22], { source: { ip: '192.0.2.7' }, port: [22, 80] })).toBe(`
1
   "tcp"
2
   null
3
   [22]
4
   source={"ip":"192.0.2.7"}
   port=[22,80]
`);
    expect(ruleLines([ruleOf({ note: 'x'.repeat(1000) }, 0)]).join('').length).toBeLessThan(180);
  });
});

describe('a rule concerns', () => {
  const ssh = { direction: 'in', protocol: 'tcp', port: '22', source: '192.0.2.0/24', action: 'accept' };

  it.each([
    ['22', 22, 'yes'],
    ['22', 222, 'no'],
    ['20-25', 22, 'yes'],
    ['20:21', 22, 'no'],
    ['80,443', 443, 'yes'],
    ['80, 1000-2000', 22, 'no'],
    ['', 22, 'yes'],
    ['any', 22, 'yes'],
    ['ssh', 22, 'maybe'],
    ['22,ssh', 22, 'yes'],
    ['80,ssh', 22, 'maybe'],
  ])('ports %j and %i: %s', (given, number, answer) => {
    expect(ask({ ...ssh, port: given }, { port: number })).toBe(answer);
  });

  it.each([
    ['192.0.2.0/24', '192.0.2.7', 'yes'],
    ['192.0.2.0/24', '192.0.3.7', 'no'],
    ['192.0.2.7', '192.0.2.7', 'yes'],
    ['192.0.2.7', '192.0.2.0/24', 'yes'],
    ['0.0.0.0/0', '192.0.2.7', 'yes'],
    ['0.0.0.0/0', '2001:db8::7', 'no'],
    ['192.0.2.0/24', '::ffff:192.0.2.7', 'yes'],
    ['2001:db8::/32', '2001:DB8:0::7', 'yes'],
    ['10.0.0.0/8, 192.0.2.0/24', '192.0.2.7', 'yes'],
    ['', '192.0.2.7', 'yes'],
    ['office', '192.0.2.7', 'maybe'],
    ['192.0.2.0/99', '192.0.2.7', 'maybe'],
  ])('source %j and %s: %s', (given, typed, answer) => {
    expect(ask({ ...ssh, source: given }, { source: typed })).toBe(answer);
  });

  it.each([
    ['in', 'in', 'yes'],
    ['INGRESS', 'in', 'yes'],
    ['out', 'in', 'no'],
    ['sideways', 'in', 'maybe'],
  ])('direction %s and %s: %s', (given, typed, answer) => {
    expect(ask({ ...ssh, direction: given }, { direction: typed })).toBe(answer);
  });

  it('all that was asked for, or is left out; one that cannot be read is not', () => {
    expect(ask(ssh, { port: 22, source: '192.0.2.7', direction: 'in' })).toBe('yes');
    expect(ask(ssh, { port: 22, source: '198.51.100.7' })).toBe('no');
    expect(ask({ ...ssh, protocol: 'icmp', port: '' }, { port: 22 })).toBe('no');
    expect(ask({ allow: 'ssh' }, { port: 22, direction: 'in' })).toBe('maybe');
    expect(ask('?', { source: '192.0.2.7' })).toBe('maybe');
    expect(ask('?', {})).toBe('yes');
  });

  it.each(['192.0.2', '192.0.2.7/33', '2001:db8::/x', 'office', '192.0.2.7/24/1', ''])('no source: %j', (typed) => {
    expect(() => wanted({ source: typed })).toThrow('an address such as 192.0.2.7, or a network such as 192.0.2.0/24');
  });
});
