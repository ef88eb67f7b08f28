import { describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import {
  confirms,
  does,
  glances,
  since,
  steps,
  stepsWhenDone,
  titled,
  typedName,
} from '../../helpers/every-command/deeds.ts';
import { changingOf, changings, decidings, lookings, readings } from '../../helpers/every-command/lines.ts';
import { sharedWorld } from '../../helpers/every-command/meets.ts';
import type { Changing } from '../../helpers/every-command/row.ts';

const world = sharedWorld();

describe('a change', () => {
  it.each(changings)(
    '%s is in the ledger before it reaches the panel, once, and its end is on record',
    async (id, row) => {
      const news = since(world);
      world.panel.order({ kind: 'hang-before', match: { changes: true } });
      const doing = does(world.alice, row);
      await Promise.race([doing, world.panel.until(() => news.changing().length === 1)]);
      expect(news.effects()).toEqual([]);
      expect(news.entries().map(({ kind }) => kind)).toEqual(steps(row.asks, 'intent'));
      await world.panel.clear();
      const card = await doing;

      glances(world, row.outcome.toUpperCase(), id);
      expect(card).toContain(row.says);
      expect(card).not.toContain('sees this)');
      expect(news.changing()).toMatchObject([row.sends]);
      expect(news.effects()).toMatchObject([{ serverId: 101, ...row.sends }]);
      const done = stepsWhenDone(row);
      const entries = await news.recorded(done.length);
      expect(entries.map(({ kind }) => kind)).toEqual(done);
      for (const entry of entries)
        expect(entry).toMatchObject({ command: id, actor: { name: 'alice' }, server: { id: 101, name: 'web-1' } });
      expect(new Set(entries.map(({ run }) => run)).size).toBe(1);
      const ends = entries.filter(({ kind }) => kind === 'outcome');
      expect(ends).toMatchObject([{ outcome: row.outcome }]);
      expect(ends[0]?.reason).toBeUndefined();
      const followed = entries.filter(({ kind }) => kind === 'follow-up');
      expect(followed).toMatchObject(row.follows === undefined ? [] : [{ step: 'started', follow: row.follows }]);
    },
  );
});

describe('a change that is only stored', () => {
  const storable = changings.flatMap(([id, { stored, ...row }]) =>
    stored === undefined ? [] : [[id, { ...row, stored }] as const],
  );

  it('is tried of each command that has sync', () => {
    const withSync = commands.filter(({ options }) => 'sync' in options).map(({ id }) => id);
    expect(storable.map(([id]) => id).sort()).toEqual(withSync.sort());
  });

  it.each(storable)('%s with sync:false is accepted, and Apply now applies it', async (id, row) => {
    const news = since(world);
    const card = await does(world.alice, { ...row, line: `${row.line} sync:false` });

    expect(card).toContain(`panelops: ACCEPTED ${typedName(id)} · web-1 (101, production)`);
    expect(card).toMatch(/stored, not applied/i);
    expect(card).toContain('[Apply now]');
    expect(news.changing()).toMatchObject([{ ...row.sends, path: row.stored }]);
    const ends = news.entries().filter(({ kind }) => kind === 'outcome');
    expect(ends).toMatchObject([{ outcome: 'accepted' }]);

    const applied = since(world);
    expect(await world.alice.clicks('Apply now')).toContain('panelops: SUCCEEDED ');
    const side = row.stored.split('/')[4];
    const path = id === 'cpu.throttle' ? row.sends.path : `/servers/101/firewall/${side}?sync=true`;
    expect(applied.changing()).toMatchObject([{ path }]);
  });
});

describe('a decision about what is followed', () => {
  it.each(decidings)('%s asks the panel nothing, and is for everybody and on record', async (id, row) => {
    const { alice, carol } = world;
    await does(alice, changingOf('backup.restore'));
    if (row.first !== undefined) await alice.types(row.first);
    await expect.poll(() => world.ledger().at(-1)?.step).toBe(row.first === undefined ? 'started' : 'announced');
    const news = since(world);
    const card = await alice.types(row.line);

    expect(card).toContain(`panelops: SUCCEEDED ${typedName(id)} · web-1 (101, production)`);
    expect(card).toContain(row.says);
    expect(carol.sees()).toContain(card);
    expect(news.requests()).toEqual([]);
    await expect
      .poll(() => news.entries().map(({ kind, step }) => `${kind} ${step}`))
      .toEqual(row.steps.map((step) => `follow-up ${step}`));
    expect(news.entries()[0]).toMatchObject({ command: 'backup.restore', actor: { name: 'alice' } });
  });
});

describe('a look into the ledger', () => {
  const world = sharedWorld();

  it.each(lookings)(
    '%s asks the panel nothing, is private and stays so, and is not in the ledger',
    async (_id, row) => {
      await world.alice.types('/power boot server:web-1');
      const news = since(world);
      const before = world.bob.sees();
      const run = world.ledger().at(-1)?.run ?? '';
      const card = await world.alice.types(row.line.replace('RUN', run));

      expect(card).toMatch(titled);
      expect(card).toContain(row.says);
      expect(card).toContain('(only alice sees this)');
      expect(card).not.toContain('[Share]');
      expect([news.requests(), news.entries()]).toEqual([[], []]);
      expect(world.bob.sees()).toBe(before);
    },
  );
});

describe('a read', () => {
  // In which nothing is followed yet.
  const world = sharedWorld();

  it.each(readings)('%s asks the panel for what it shows, privately, and changes nothing', async (_id, row) => {
    const news = since(world);
    const before = world.bob.sees();
    const card = await world.alice.types(row.line);

    expect(card).toMatch(titled);
    const { content, embeds } = world.discord.messages('alice', 'ops').at(-1) ?? expect.fail('no card');
    expect([content, embeds[0]?.description]).toEqual([
      expect.stringMatching(/^≡ \*\*[A-Z][^*]+\*\*$/),
      expect.stringMatching(/^\*\*[^*]{5,}\*\*(\n|$)/),
    ]);
    expect(card).toContain(row.says);
    expect(card).toContain('(only alice sees this)');
    const paths = news.requests().map(({ method, path }) => `${method} ${path}`);
    // The check tries the list of backups, too, for those who may see all of it.
    const asked = paths.filter((path) => path !== 'GET /backups/server/101');
    expect(row.gathers ? asked.sort() : asked).toEqual(row.reads);
    expect([news.changing(), news.effects(), news.entries()]).toEqual([[], [], []]);
    expect(world.bob.sees()).toBe(before);
  });
});

/** Types the line while the panel can be reached, asks or not; `meanwhile` happens before it is confirmed or typed. */
async function doesAfter(row: Changing, meanwhile: () => void): Promise<string> {
  if (row.asks === 'no') {
    meanwhile();
    return world.alice.types(row.line);
  }
  await world.alice.types(row.line);
  meanwhile();
  return confirms(world.alice, row.asks);
}

describe('a panel that refuses the connection', () => {
  it.each(changings)('%s is not sent, and can be asked again', async (id, row) => {
    const news = since(world);
    const card = await doesAfter(row, () => world.panel.order({ kind: 'refuse' }));

    expect(card).toContain(`panelops: NOT-SENT ${typedName(id)} · web-1 (101, production)`);
    expect(card).toContain('The panel could not be reached: it refused the connection.');
    expect(card).toContain(
      'Ask again in a minute. If it keeps failing, tell whoever runs the bot: the panel may be down, or PANEL_URL wrong.',
    );
    expect(card).toContain('[Ask again]');
    expect(news.changing()).toEqual([]);
    expect(news.effects()).toEqual([]);
    // What cannot be read again is held back before it is meant.
    const kinds = row.looks ? (['outcome'] as const) : (['intent', 'outcome'] as const);
    expect(news.entries().map(({ kind }) => kind)).toEqual(steps(row.asks, ...kinds));
    expect(news.entries().at(-1)).toMatchObject({
      outcome: 'not-sent',
      reason: row.looks ? 'look-failed' : 'connection-refused',
    });

    await world.panel.clear();
    const again = since(world);
    const first = await world.alice.clicks('Ask again');
    const last = row.asks === 'no' ? first : await confirms(world.alice, row.asks);
    expect(last).toContain(`panelops: ${row.outcome.toUpperCase()} `);
    expect(again.changing()).toMatchObject([row.sends]);
    expect(again.effects()).toHaveLength(1);
  });
});
