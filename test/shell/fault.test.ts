import { expect, it } from 'vitest';
import { LedgerDamaged } from '../../src/ledger/ledger.ts';
import { DiscordUnavailable, LedgerUnavailable, RedisUnavailable } from '../../src/outcome.ts';
import { brokenOff, faultOf, logFault, troubleCard } from '../../src/shell/fault.ts';

const disk = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', errno: -5, syscall: 'read' });

it.each([
  ['Discord', new DiscordUnavailable(), 'discord-broke', 'not-sent', 'because Discord did not take an answer'],
  ['the ledger', new LedgerUnavailable(disk), 'ledger-unavailable', 'unavailable', 'because the ledger cannot be used'],
  ['the disk', disk, 'ledger-unavailable', 'unavailable', 'because the ledger cannot be used'],
  [
    'who changed the ledger',
    new LedgerDamaged('ledger.jsonl', 7, 'changed'),
    ...(['ledger-damaged', 'unavailable', 'because the ledger is damaged'] as const),
  ],
  ['Redis', new RedisUnavailable(), 'redis-unavailable', 'unavailable', 'because Redis cannot be reached'],
  ['a bug', new TypeError('x is not a function'), 'bot-fault', 'not-sent', 'because of a bug in the bot'],
] as const)('An error is the fault of %s, on its card and in the log', (_what, error, fault, state, words) => {
  expect(faultOf(error)).toBe(fault);
  const cards = [troubleCard(error), brokenOff('/power boot', fault)];
  expect(cards.map((card) => card.state)).toEqual([state, state]);
  expect(JSON.stringify(cards).includes('bug')).toBe(fault === 'bot-fault');
  const lines: [string, string][] = [];
  const at = (name: string) => (_facts: object, message: string) => void lines.push([name, message]);
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  logFault(log, {}, 'a click failed', error);
  expect(lines).toEqual([[fault === 'bot-fault' ? 'error' : 'warn', `a click failed ${words}`]]);
});
