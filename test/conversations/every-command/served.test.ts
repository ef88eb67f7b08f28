import { describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { Command } from '../../../src/command.ts';
import { reasons } from '../../../src/reasons.ts';
import { rowOf } from '../../helpers/every-command/lines.ts';
import type { Row } from '../../helpers/every-command/row.ts';

/** What a command's line is tried as, by what the command is. */
function kindOf({ danger, local }: Command): readonly Row['kind'][] {
  if (danger === 'read') return ['reading'];
  if (danger === 'audit') return ['looking'];
  return local ? ['deciding', 'recording'] : ['changing'];
}

describe('the list of commands', () => {
  it('has each command once, and is tried whole: each has a line, as what it is', () => {
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    const otherwise = commands
      .filter((command) => !kindOf(command).includes(rowOf(command.id).kind))
      .map((command) => `${command.id} is tried as ${rowOf(command.id).kind}, not as ${kindOf(command)}`);
    expect(otherwise).toEqual([]);
  });

  it('has every command that undoes another, or that is offered for stuck jobs', () => {
    const known: readonly string[] = commands.map(({ id }) => id);
    const named = commands.flatMap(({ id, undoneBy, ifStuck }) =>
      [undoneBy, ifStuck?.command].flatMap((other) => (other === undefined ? [] : [{ id, other }])),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(({ other }) => !known.includes(other))).toEqual([]);
  });
});

/** Every reason, by hand: a word for it must not get lost. */
const known = `token-refused token-lacks-permission not-found no-backups vlan-not-found protected conflict validation
  tasks-pending rate-limited authentication-limited maintenance refused refused-before requests-limited connection-refused proxy-failed name-not-resolved connect-timeout
  certificate circuit-open read-limit look-limit kept-for-confirmed waited-too-long look-failed changed-since undone-meanwhile done-meanwhile not-allowed-now frozen held earlier-unknown bot-restarted discord-broke bot-fault timeout
  connection-lost server-error not-the-panel no-success answer-too-large not-json not-understood redirected bot-stopped bot-failed store-failed ledger-replaced denied cancelled expired given-up
  went-on server-busy ledger-unavailable card-unrecorded redis-unavailable ledger-damaged trail-behind trail-closed trail-contradicted`
  .split(/\s+/)
  .sort();

/** Nothing is left to do but to type the command again, or, for a look that failed, the card says why it did. */
const withoutNext = ['cancelled', 'expired', 'look-failed'];

it('Each reason has its words: a cause and a next step, in whole sentences, and only what is unknown is looked up', () => {
  expect(Object.keys(reasons).sort()).toEqual(known);
  for (const [reason, { why, next }] of Object.entries(reasons)) {
    expect(why, reason).toMatch(/^[A-Z].{10,}\.$/);
    expect(next, reason).toMatch(withoutNext.includes(reason) ? /^$/ : /^(\/|[A-Z]).{5,}\.$/);
    expect(`${why} ${next}`).not.toMatch(/https?:|www\.|Bearer|canary|undefined|null|\[object|`|UND_|ECONN/);
    expect(`${why} ${next}`.length, reason).toBeLessThan(280);
  }
  const manualCheck = Object.entries(reasons).filter(([, { next }]) => next.includes('press Say what happened'));
  expect(manualCheck.map(([reason]) => reason).sort()).toEqual(
    `answer-too-large bot-failed bot-stopped connection-lost ledger-replaced no-success not-json not-the-panel
  not-understood redirected server-error store-failed timeout`.split(/\s+/),
  );
});
