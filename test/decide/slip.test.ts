import { expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { lineOf } from '../../src/command.ts';
import { slip } from '../../src/decide/authorize.ts';
import type { RawOptions } from '../../src/outcome.ts';

const commandOf = (id: string) => {
  const found = commands.find((each) => each.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

it.each<[string, string, RawOptions, string]>([
  ['one', 'freeze', { reason: 'tier:production migration' }, '/freeze tier:production reason:migration'],
  ['in quotes', 'freeze', { reason: 'until:"tomorrow 8:00" x' }, '/freeze until:"tomorrow 8:00" reason:x'],
  [
    'several, and its own name',
    'freeze',
    { reason: 'tier:lab until:2h reason:"db move"' },
    '/freeze tier:lab until:2h reason:"db move"',
  ],
  ['and nothing else', 'thaw', { reason: 'tier:production' }, '/thaw tier:production'],
  [
    'of a change of the panel',
    'backup.restore',
    { server: 'db-1', disks: '0', reason: 'until:-6h lost update' },
    '/backup restore server:db-1 disks:0 until:-6h reason:"lost update"',
  ],
  [
    'of one that is a choice',
    'firewall.disable',
    { server: 'web-1', reason: 'sync:false x' },
    '/firewall disable server:web-1 sync:false reason:x',
  ],
])('a text that begins with an option that was left empty: %s', (_, id, typed, line) => {
  const found = slip(commandOf(id), typed);
  expect(found && lineOf({ id }, found.meant ?? {})).toBe(line);
});

it.each<[string, string, RawOptions]>([
  ['a space after the colon', 'freeze', { reason: 'tier: production is slow' }],
  ['an option that was filled in', 'freeze', { tier: 'lab', reason: 'tier:production is next' }],
  ['the name of no option', 'freeze', { reason: 'ticket:4711' }],
  ['its own name', 'freeze', { reason: 'reason:x' }],
  ['in the middle', 'freeze', { reason: 'no tier:production today' }],
  ['an address', 'ipv4.add', { server: 'web-1', addresses: '192.0.2.1' }],
  ['a read, which changes nothing', 'audit.history', { person: 'server:web-1' }],
])('is text: %s', (_, id, typed) => {
  expect(slip(commandOf(id), typed)).toBeUndefined();
});
