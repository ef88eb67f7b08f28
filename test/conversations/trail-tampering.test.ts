import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../helpers/messages.ts';
import { audit, linesOf, posted, reaches } from '../helpers/trail/process.ts';
import { startWorld, type World, worldForAll } from '../helpers/world.ts';

const quick = { trail: { between: 10, retry: 50, look: 50 } };

/** So many messages of the trail, of one line each. */
async function denials(world: World, n: number): Promise<void> {
  for (let at = 0; at < n; at += 1) {
    const before = world.entries().length;
    await world.carol.types('/power boot server:web-1');
    await until(() => world.entries().length > before, 'the denial in the ledger');
    await reaches(world.discord, () => world.entries().length);
  }
}

describe('In the audit channel', () => {
  const world = worldForAll({ audit: true, intervals: quick, discord: { limits: { posts: false, global: false } } });
  beforeAll(async () => {
    await settled();
  });

  const settled = (): Promise<true> => reaches(world.discord, () => world.entries().length);
  /** The last lines that report tampering, from the mention on. */
  const reports = (): string[] =>
    linesOf(world.discord)
      .filter((line) => line.includes('TRAIL CHANGED'))
      .map((line) => line.replace(/^\S+ /, '').replaceAll(/#\d+(–#\d+)?/g, '#N'));
  const lines = (n: number): Promise<void> => denials(world, n);

  it('what a person deletes is said, with which entries, and what was newest is posted again', async () => {
    await lines(2);
    const victim = posted(world.discord).at(-2);
    world.discord.deleteMessage('alice', victim?.id ?? '');
    await world.discord.until(() => reports().length === 1);
    expect(reports()).toEqual(['TRAIL CHANGED deleted #N · Discord does not say by whom']);
    const entry = world.entries().findLast((each) => each.kind === 'tampered');
    expect(entry).toMatchObject({ finding: 'deleted', message: victim?.id, channel: audit, unsaid: true });
    const [, from, to = from] = /\n#(\d+)(?:–#(\d+))? · /.exec(victim?.content ?? '') ?? [];
    expect(entry).toMatchObject({ from: Number(from), to: Number(to) });
    await settled();
    world.discord.deleteMessage('alice', posted(world.discord).at(-1)?.id ?? '');
    await world.discord.until(() => reports().length === 2);
    expect(world.logged()).toContain('somebody changed the trail in the audit channel');
  });

  it('what is edited with the token of the bot is reported, with nobody to name', async () => {
    const before = reports().length;
    await lines(1);
    const victim = posted(world.discord).at(-1);
    const answer = await fetch(`${world.discord.apiUrl}/v10/channels/${audit}/messages/${victim?.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bot ${world.discord.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: (victim?.content ?? '').replace('DENIED', 'ALLOWED') }),
    });
    expect(answer.status).toBe(200);
    await world.discord.until(() => reports().length > before);
    expect(reports().at(-1)).toBe('TRAIL CHANGED edited #N · Discord does not say by whom');
    expect(reports()).toHaveLength(before + 1);
  });

  it('the bot edits and deletes nothing there, and pings nobody', () => {
    const own = world.discord.requests.filter(({ path }) => path.startsWith(`/channels/${audit}/messages`));
    expect(own.filter(({ method }) => method === 'DELETE')).toEqual([]);
    // The one is the test's own.
    expect(own.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
    expect(posted(world.discord).flatMap(({ pinged }) => pinged)).toEqual([]);
  });
});

describe('At a start', () => {
  it('the bot says in the ledger that it is up and down, and what has changed, with or without an audit channel', async () => {
    const world = await startWorld({ still: true });
    try {
      const [started] = world.entries();
      expect(started).toMatchObject({ kind: 'started', seq: 1, actor: { id: expect.stringMatching(/^\d+$/) } });
      const facts = started?.kind === 'started' ? started.facts : {};
      expect(Object.keys(facts)).toEqual(expect.arrayContaining(['panel', 'policy.roles', 'policy.servers']));
      expect(Object.values(facts).filter((fact) => !/^[0-9a-f]{12}$/.test(fact))).toEqual([]);
      await world.restart();
      expect(world.entries().map(({ kind }) => kind)).toEqual(['started', 'stopped', 'started']);
      expect(posted(world.discord)).toEqual([]);
    } finally {
      await world.stop();
    }
  });
});
