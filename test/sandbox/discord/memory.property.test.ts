import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { call, identified, interaction } from '../../helpers/sandbox/discord/raw.ts';
import { tries } from '../../helpers/tries.ts';

/**
 * Whatever people and the bot do, a Discord that is started on the file as it lies there, without any stop before, is the same to
 * everybody who looks.
 */

const people = ['alice', 'bob', 'carol', 'mallory'] as const;
const [ops, audit] = ['1300000000000000001', '1300000000000000002'];
const thousand = Date.parse('2026-11-19T22:00:00Z');

const open = (path: string, now: () => number): Promise<SandboxDiscord> =>
  startDiscord({
    now,
    limits: { posts: false, edits: false, global: false },
    kept: { path, onTrouble: (problem) => expect.fail(problem) },
  });

/** What there is to see for people and bot, but for the addresses of files, in which the port is. */
async function seen(discord: SandboxDiscord): Promise<unknown> {
  const guild = `/guilds/${discord.guildId}`;
  const threads = discord.threads().map(({ id }) => id);
  const places = [ops, audit, ...threads].map((id) => `/channels/${id}`);
  const asked = [
    ...places.flatMap((place) => [place, `${place}/messages?limit=100`, `${place}/pins`]),
    ...[`${guild}/threads/active`, `${guild}/channels`, `${guild}/members/1400000000000000002`],
    `/applications/${discord.applicationId}${guild}/commands`,
  ];
  const answers = await Promise.all(asked.map((path) => call(discord, 'GET', path)));
  return JSON.parse(
    JSON.stringify([
      people.map((who) => ({ ...discord.screen(who), online: false })),
      people.map((who) => discord.modalOf(who) === undefined && discord.view(who, ops)),
      answers.map(({ status, json }) => [status, json]),
    ]).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''),
  );
}

const button = { type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] };
const embed = { title: 'Card', description: 'of `web-1`', color: 15_774_258, fields: [{ name: 'a', value: 'b' }] };

function upload(): FormData {
  const form = new FormData();
  form.set('payload_json', JSON.stringify({ content: 'a file', attachments: [{ id: 0, description: 'in words' }] }));
  form.set('files[0]', new Blob([new Uint8Array([0, 255, 128, 10])], { type: 'image/png' }), 'chart.png');
  return form;
}

type Bot = Awaited<ReturnType<typeof identified>>;
/** `pick` gives one of those that are there. */
type Act = (discord: SandboxDiscord, bot: Bot, pick: <T>(all: readonly T[]) => T | undefined) => unknown;

const own = (discord: SandboxDiscord, channel: string): string[] =>
  discord
    .messages('alice', channel)
    .filter(({ author, system, ephemeral }) => author === 'panelops' && !system && !ephemeral)
    .map(({ id }) => id);
const posts = (body: unknown, channel = ops): Act => {
  return (discord) => call(discord, 'POST', `/channels/${channel}/messages`, body);
};
const onOwn = (method: string, path: (id: string) => string, body?: object, channel = ops): Act => {
  return (discord, _bot, pick) => {
    const id = pick(own(discord, channel));
    return id !== undefined && call(discord, method, path(id), body);
  };
};
/** A person uses /ping, and the bot does with it what is said. */
const used = (does?: (discord: SandboxDiscord, id: string, token: string) => unknown): Act => {
  return async (discord, bot) => {
    const before = bot.packets.filter(({ t }) => t === 'INTERACTION_CREATE').length;
    await discord.type('bob', 'ops', '/ping');
    const { id, token } = await interaction(bot, before);
    await does?.(discord, id, token);
  };
};
const answer = (discord: SandboxDiscord, id: string, token: string, body: object) =>
  call(discord, 'POST', `/interactions/${id}/${token}/callback`, body);
const inThread = (does: (discord: SandboxDiscord, id: string) => unknown, all = false): Act => {
  return (discord, _bot, pick) => {
    const thread = pick(discord.threads().filter(({ archived }) => all || !archived));
    return thread && does(discord, thread.id);
  };
};

const acts: Readonly<Record<string, Act>> = {
  posts: posts({ content: 'Hello <@1400000000000000001>', embeds: [embed], components: [button], nonce: '1' }),
  trails: posts({ content: '#1 · 1a2b', flags: 4096 }, audit),
  uploads: (discord) => call(discord, 'POST', `/channels/${ops}/messages`, upload()),
  replies: (discord, bot, pick) => {
    const id = pick(own(discord, ops));
    const message_reference = { message_id: id ?? '1', fail_if_not_exists: false };
    return posts({ content: 'Done', message_reference })(discord, bot, pick);
  },
  edits: onOwn('PATCH', (id) => `/channels/${ops}/messages/${id}`, { content: 'Edited', attachments: [] }),
  deletes: onOwn('DELETE', (id) => `/channels/${ops}/messages/${id}`),
  pins: onOwn('PUT', (id) => `/channels/${ops}/pins/${id}`),
  unpins: onOwn('DELETE', (id) => `/channels/${ops}/pins/${id}`),
  starts: onOwn('POST', (id) => `/channels/${ops}/messages/${id}/threads`, { name: 'incident' }),
  startsAlone: (discord) => call(discord, 'POST', `/channels/${ops}/threads`, { name: 'disk full', type: 11 }),
  postsInside: inThread(
    (discord, id) => call(discord, 'POST', `/channels/${id}/messages`, { content: 'inside' }),
    true,
  ),
  closes: inThread((discord, id) => discord.closeThread('alice', id)),
  locks: inThread((discord, id) => discord.closeThread('alice', id, { lock: true })),
  opens: inThread((discord, id) => discord.openThread('alice', id), true),
  losesThread: inThread((discord, id) => discord.deleteChannel(id), true),
  losesChannel: (discord) =>
    discord.screen('alice').channels.some(({ name }) => name === 'random') && discord.deleteChannel('random'),
  types: (discord) => discord.type('bob', 'ops', 'I have a look @everyone'),
  editsOwn: async (discord) => discord.editMessage('bob', await discord.type('bob', 'ops', 'a'), 'b'),
  moderates: (discord, _bot, pick) => {
    const id = pick(own(discord, audit));
    if (id !== undefined) discord.deleteMessage('alice', id);
  },
  sweeps: (discord) => discord.deleteMessages('alice', own(discord, audit).slice(-2)),
  roles: (discord, _bot, pick) => discord.setRoles('bob', pick([['lead'], ['on-call', 'viewer'], []]) ?? []),
  registers: (discord, _bot, pick) => {
    const path = `/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`;
    const description = pick(['One', 'Another']);
    const option = { type: 3, name: 'server', description: 'Which', autocomplete: true };
    return call(discord, 'PUT', path, [{ name: 'ping', description, options: [option] }]);
  },
  isUsed: used(),
  thinks: used((discord, id, token) => answer(discord, id, token, { type: 5, data: { flags: 64 } })),
  says: used((discord, id, token) =>
    answer(discord, id, token, { type: 4, data: { content: 'Card', embeds: [embed] } }),
  ),
  saysTwice: used(async (discord, id, token) => {
    await answer(discord, id, token, { type: 5 });
    await call(discord, 'PATCH', `/webhooks/${discord.applicationId}/${token}/messages/@original`, { content: 'Card' });
    await call(discord, 'POST', `/webhooks/${discord.applicationId}/${token}`, { content: 'More', flags: 64 });
  }),
  dismisses: (discord, _bot, pick) => {
    const one = pick(discord.messages('bob', 'ops').filter(({ ephemeral, state }) => ephemeral && state !== 'failed'));
    if (one !== undefined) discord.deleteMessage('bob', one.id);
  },
  dismissesFailure: (discord, _bot, pick) => {
    const one = pick(discord.messages('bob', 'ops').filter(({ state }) => state === 'failed'));
    if (one !== undefined) discord.deleteMessage('bob', one.id);
  },
  clicks: (discord, _bot, pick) => {
    const card = pick(discord.messages('alice', 'ops').filter(({ buttons }) => buttons.length > 0));
    return card && discord.click('alice', card.id, 'go');
  },
};

const names = Object.keys(acts);
const way = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(1000), fc.nat(2000)), { minLength: 5, maxLength: 30 });

/** Does all of it in one Discord, and looks at the next one that is started on a copy of its file. */
async function survives(steps: readonly [name: string, choice: number, ms: number][]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'panelops-memory-'));
  let at = thousand;
  const first = await open(join(folder, 'discord.jsonl'), () => at);
  try {
    const bot = await identified(first, 1);
    await acts['registers']?.(first, bot, ([one]) => one);
    for (const [name, choice, ms] of steps) {
      at += ms;
      await acts[name]?.(first, bot, (all) => all[choice % all.length]);
    }
    copyFileSync(join(folder, 'discord.jsonl'), join(folder, 'copy.jsonl'));
    const second = await open(join(folder, 'copy.jsonl'), () => at);
    try {
      expect(await seen(second)).toEqual(await seen(first));
      // No id is given twice, whatever the clock says and whatever was deleted.
      at -= 3_600_000;
      expect(BigInt(await second.type('alice', 'ops', 'new'))).toBe(BigInt(await first.type('alice', 'ops', 'new')));
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test("the sandbox's Discord is the same after a kill, whatever was done in it", { timeout: 120_000 }, async () => {
  // Each at least once, and in an order in which it has an effect.
  const all = names.map((name): [string, number, number] => [name, 1, 3_500]);
  await survives([...all, ...all.toReversed(), ...all]);
  await fc.assert(fc.asyncProperty(way, survives), { numRuns: tries(25) });
});
