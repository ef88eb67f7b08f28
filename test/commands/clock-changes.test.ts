import { expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { RawOptions } from '../../src/outcome.ts';
import { at, commandOf, now } from '../helpers/commands/typed.ts';
import { team } from '../helpers/team.ts';

const server = 'web-1';

/** Each option that takes a time, with what else its command needs. */
const options: readonly [id: string, option: string, rest: RawOptions, form?: (time: string) => string][] = [
  ['backup.restore', 'until', { server, disks: '0' }],
  ['backup.restore', 'until', { server, disks: '0' }, (time) => `0=${time}`],
  ['audit.history', 'since', {}],
  ['audit.export', 'since', {}],
  ['audit.export', 'until', {}],
  ['firewall.disable', 'remind', { server }],
  ['whitelist.add', 'remind', { server, network: '192.0.2.1/32' }],
  ['power.shutdown', 'remind', { server }],
  ['cpu.throttle', 'remind', { server, percent: 50 }],
  ['freeze', 'until', { reason: 'x' }],
  ['hold', 'until', { server, reason: 'x' }],
];

/** The rule that a time breaks in Berlin. */
function brokenBy(id: string, raw: RawOptions): string {
  try {
    commandOf(id).prepare(raw, { ...at(now), team: { ...team, zone: 'Europe/Berlin' } });
    return 'taken';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

it.each(options)('/%s %s %j says of a time that clocks show twice which two there are', (id, option, rest, form) => {
  const time = '2026-10-25 02:30';
  expect(brokenBy(id, { ...rest, [option]: form?.(time) ?? time })).toBe(
    `${option}: the clocks of Europe/Berlin show 02:30 twice on 2026-10-25: write 2026-10-25T00:30Z or 2026-10-25T01:30Z`,
  );
});

it('These are all options that take a time', () => {
  const all = commands.flatMap(({ id, options: each }) =>
    Object.entries(each).flatMap(([name, { isTime }]) => (isTime ? [`${id} ${name}`] : [])),
  );
  expect([...new Set(options.map(([id, option]) => `${id} ${option}`))].sort()).toEqual(all.sort());
});
