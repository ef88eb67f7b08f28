import { beforeEach, describe, expect, it } from 'vitest';
import { type CommandId, commands } from '../../../commands/index.ts';
import { policyOfEveryCommand } from '../../helpers/alerts.ts';
import { glances, since, typedName } from '../../helpers/every-command/deeds.ts';
import { changings, rowOf } from '../../helpers/every-command/lines.ts';
import type { Person } from '../../helpers/person.ts';
import { worldForAll } from '../../helpers/world.ts';

/** Which roles of the example policy have a command, as a denial lists them. */
const holdersOf = (id: string, danger: string): string => {
  if (['freeze', 'thaw', 'panel.refresh'].includes(id)) return '`lead`';
  if (id === 'audit.history') return '`on-call` and `lead`';
  if (danger === 'read') return '`viewer`, `on-call` and `lead`';
  return danger === 'write' || id.startsWith('power.') ? '`on-call` and `lead`' : '`lead`';
};

const everyones: readonly CommandId[] = ['help', 'can'];
const guarded = commands.filter(({ id }) => !everyones.includes(id));
/** What is typed; the label of what is in a menu. */
function lineOf(id: CommandId): string {
  const row = rowOf(id);
  return 'line' in row ? row.line : row.menu;
}

/** Types the command's line, or picks it from the menu of a message. */
async function tries(who: Person, id: CommandId): Promise<string> {
  const row = rowOf(id);
  if ('line' in row) return who.types(row.line);
  return who.picks(row.menu, await world.discord.type('bob', 'ops', 'web-1 is down'));
}

const world = worldForAll({ still: true, policy: policyOfEveryCommand() });
beforeEach(() => world.minutePasses());

/** What bob sees, but for the message of his own that the menu was opened on. */
const answers = (): string => world.bob.sees().replaceAll(/(?:^|\n+)bob: web-1 is down$/gm, '');

describe('without a role', () => {
  it.each(guarded)('mallory is denied $id, privately and on the record', async ({ id, danger }) => {
    const news = since(world);
    const before = answers();
    const card = await tries(world.mallory, id);
    const row = rowOf(id);

    expect(card).toContain(`panelops: DENIED ${'menu' in row ? row.menu : typedName(id)}`);
    expect(card).toContain(`Not allowed: none of your roles has the permission \`${id}\`.`);
    expect(card).toContain(`Roles that may: ${holdersOf(id, danger)}.`);
    expect(card).toContain(danger === 'read' || danger === 'audit' ? 'Nothing was read.' : 'Nothing was sent.');
    expect(card).toContain('(only mallory sees this)');
    expect(news.requests()).toEqual([]);
    expect(answers()).toBe(before);
    const recorded = await news.recorded(1);
    expect(recorded).toMatchObject([
      { kind: 'denied', command: id, outcome: 'denied', reason: 'denied', actor: { name: 'mallory', roles: [] } },
    ]);
    // What is typed is no press of a button.
    expect(recorded[0]).not.toHaveProperty('pressed');
  });

  it.each(everyones)('mallory may use %s', async (id) => {
    const news = since(world);
    const card = await world.mallory.types(lineOf(id));
    expect(card).toMatch(id === 'help' ? /^panelops: What you may run/m : /^panelops: May you run /m);
    expect(card).toContain('(only mallory sees this)');
    expect([news.requests(), news.entries()]).toEqual([[], []]);
  });
});

describe("outside of one's servers", () => {
  const bobs = guarded.filter(
    ({ id, danger, options }) =>
      'server' in options && (danger === 'read' || danger === 'write' || id.startsWith('power.')),
  );

  it.each(bobs)('bob, who has $id, is denied it on lab-1', async ({ id, danger }) => {
    const news = since(world);
    const before = world.carol.sees();
    const card = await world.bob.types(lineOf(id).replace('web-1', 'lab-1'));

    expect(card).toContain(`panelops: DENIED ${typedName(id)}\n`);
    expect(card).toContain(
      `Not allowed: your roles have \`${id}\`, but not for \`lab-1\`, or the policy names no such server.`,
    );
    const holders = danger === 'read' ? '`viewer`, `on-call` and `lead`' : '`on-call` and `lead`';
    expect(card).toContain(`Roles that may, each on its own servers: ${holders}.`);
    expect(card).toContain('(only bob sees this)');
    expect(news.requests()).toEqual([]);
    expect(world.carol.sees()).toBe(before);
    expect(await news.recorded(1)).toMatchObject([
      { kind: 'denied', command: id, outcome: 'denied', actor: { name: 'bob' }, server: { id: 201, name: 'lab-1' } },
    ]);
  });
});

describe('asked first', () => {
  const asking = changings.filter(([, { asks }]) => asks !== 'no');

  it('each destructive command is, and what the policy adds', () => {
    const destructive = commands.filter(({ danger, local }) => danger === 'destructive' && !local).map(({ id }) => id);
    expect(asking.map(([id]) => id).sort()).toEqual([...destructive, 'ipv4.assign'].sort());
  });

  it.each(asking)('%s asks, and Cancel sends nothing', async (id, { line, asks, looks, would }) => {
    const news = since(world);
    const question = await world.alice.types(line);

    glances(world, 'QUESTION', id);
    expect(question).toMatch(would);
    expect(question).toMatch(/\[(?!Confirm)[A-Z][^\]]*web-1[^\]]*] \[Cancel]/);
    expect(question).toMatch(
      asks === 'typed' ? / confirms by typing `web-1`\./ : /Nothing is sent until @alice confirms\./,
    );
    expect(question).not.toContain('sees this)');
    expect(news.changing()).toEqual([]);
    if (looks) expect(news.requests().map(({ path }) => path)).toEqual(['/servers/101/firewall/primary']);
    expect(news.entries()).toMatchObject([
      { kind: 'asked', command: id, actor: { name: 'alice' }, server: { id: 101, name: 'web-1' } },
    ]);

    const card = await world.alice.clicks('Cancel');
    glances(world, 'CANCELLED', id, 'Nothing was sent.');
    expect(card).not.toContain('[');
    expect(news.changing()).toEqual([]);
    expect(news.effects()).toEqual([]);
    expect(news.entries().map(({ kind }) => kind)).toEqual(['asked', 'outcome']);
    expect(news.entries()).toMatchObject([{}, { outcome: 'cancelled', reason: 'cancelled' }]);
  });
});
