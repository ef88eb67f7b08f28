import { describe, expect, it } from 'vitest';
import { LedgerDamaged } from '../../src/ledger/ledger.ts';
import { DiscordUnavailable, LedgerUnavailable, RedisUnavailable } from '../../src/outcome.ts';
import { brokenOff, faultOf, logFault, troubleCard } from '../../src/shell/fault.ts';

const disk = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', errno: -5, syscall: 'read' });

describe('Whose fault an error is', () => {
  it.each([
    [
      'Discord',
      new DiscordUnavailable(new Error('other side closed')),
      'discord-broke',
      'not-sent',
      'warn',
      'because Discord did not take an answer',
    ],
    [
      'the ledger',
      new LedgerUnavailable(disk),
      'ledger-unavailable',
      'unavailable',
      'warn',
      'because the ledger cannot be used',
    ],
    ['the disk', disk, 'ledger-unavailable', 'unavailable', 'warn', 'because the ledger cannot be used'],
    [
      'a ledger that somebody changed',
      new LedgerDamaged('ledger.jsonl', 7, 'changed'),
      'ledger-damaged',
      'unavailable',
      'warn',
      'because the ledger is damaged',
    ],
    [
      'Redis',
      new RedisUnavailable(new Error('READONLY')),
      'redis-unavailable',
      'unavailable',
      'warn',
      'because Redis cannot be reached',
    ],
    ['a bug', new TypeError('x is not a function'), 'bot-fault', 'not-sent', 'error', 'because of a bug in the bot'],
  ] as const)('%s', (_what, error, fault, state, level, words) => {
    expect(faultOf(error)).toBe(fault);
    const cards = [troubleCard(error), brokenOff('/power boot', fault)];
    expect(cards.map((card) => card.state)).toEqual([state, state]);
    const said = JSON.stringify(cards);
    expect(said.includes('bug')).toBe(fault === 'bot-fault');
    const lines: [string, string][] = [];
    const at = (name: string) => (_facts: object, message: string) => void lines.push([name, message]);
    logFault(
      { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
      {},
      'a click failed',
      error,
    );
    expect(lines).toEqual([[level, `a click failed ${words}`]]);
  });
});
