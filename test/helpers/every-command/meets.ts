import { afterEach, beforeEach, expect } from 'vitest';
import type { CommandId } from '../../../commands/index.ts';
import { policyOfEveryCommand } from '../alerts.ts';
import { meetings } from '../tries.ts';
import { type World, type WorldOptions, worldForAll } from '../world.ts';
import { does, glances, keeping, since, steps } from './deeds.ts';
import { changingOf, changings } from './lines.ts';
import type { Trouble } from './troubles.ts';

/**
 * One world for the tests of a file or group; before each of them the panel holds what it held at first, and nobody is held back.
 * What is followed is not looked at: what a look brings is told with the follow-ups.
 */
export function sharedWorld(options: WorldOptions = {}): World {
  const world = worldForAll({ policy: policyOfEveryCommand(), hurry: true, still: true, ...options });
  let again: (() => void) | undefined;
  beforeEach(() => {
    again ??= keeping(world.panel);
    again();
    world.minutePasses();
  });
  afterEach(() => world.panel.clear());
  return world;
}

/** One command that does not ask, one with a button, and one that wants a name typed. */
export const oneOfEach: readonly CommandId[] = ['power.boot', 'firewall.flush', 'backup.restore'];

/** Which trouble meets which command: every one where their answers differ. */
export const meeting = (troubles: Readonly<Record<string, Trouble>>): readonly (readonly [string, CommandId])[] =>
  meetings(
    Object.entries(troubles).flatMap(([name, { every }]) =>
      (every ? changings.map(([id]) => id) : oneOfEach).map((id) => [name, id] as const),
    ),
  );

/** What the change came to when its one request met the trouble: the card, and the ledger's last word. */
export async function meets(
  world: World,
  id: CommandId,
  met: Trouble | undefined,
  outcome: string,
  effects: number,
): Promise<void> {
  if (met === undefined) throw new Error('no such trouble');
  const { fault, ...trouble } = met;
  const row = changingOf(id);
  const { reason, says } = trouble.but?.[id] ?? trouble;
  const news = since(world);
  world.panel.order({ ...fault, match: { changes: true } });
  const card = await does(world.alice, row);

  glances(world, outcome.toUpperCase(), id);
  for (const piece of says) expect(card).toContain(piece);
  expect(card).not.toMatch(/\[(Apply now|Confirm|Cancel)]/);
  // Wherever a card says so, the button is there.
  expect(card.includes('[Ask again]')).toBe(/then ask again/.test(card));
  expect(news.changing()).toMatchObject([row.sends]);
  expect(news.effects()).toHaveLength(effects);
  const entries = news.entries();
  expect(entries.map(({ kind }) => kind)).toEqual(steps(row.asks, 'intent', 'outcome'));
  expect(entries.at(-1)).toMatchObject({ outcome, reason, command: id, server: { id: 101 } });
}
