import { expect, it, onTestFinished } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { channels, pings, rights } from '../../src/check/about-channels.ts';
import { runChecks } from '../../src/check/run.ts';
import { probeDiscord } from '../../src/discord/probe.ts';
import { type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';

const ops = '1300000000000000001';
const other = '1300000000000000007';
const lead = '1200000000000000003';

const roles = [
  `{ role: "1200000000000000001", name: viewer, allow: [read] }`,
  `{ role: "1200000000000000002", name: on-call, allow: [write] }`,
  `{ role: "${lead}", name: lead, allow: [approve] }`,
];
const policyText = (served: readonly string[], more = '') =>
  [
    'roles:',
    ...roles.map((row) => `  - ${row}`),
    `channels: [${served.map((id) => `"${id}"`).join(', ')}]`,
    'servers: [{ id: 101, name: web-1 }]',
    more,
    '',
  ].join('\n');

interface Given {
  /** Discord's type of the channel beside #ops. */
  type?: number;
  /** The names of the roles that not everybody may mention. */
  mute?: readonly string[];
}

async function guildWith({ type = 0, mute = [] }: Given = {}): Promise<SandboxDiscord<never>> {
  const discord = await startDiscord({
    guild: {
      id: '1100000000000000001',
      name: 'Sandbox',
      roles: ['viewer', 'on-call', 'lead'].map((name, at) => ({
        id: `120000000000000000${at + 1}`,
        name,
        mentionable: !mute.includes(name),
      })),
      channels: [
        { id: ops, name: 'ops', topic: '' },
        { id: other, name: 'other', topic: '', type },
      ],
      people: [
        { id: '1400000000000000001', name: 'alice', role: 'lead' },
        { id: '1400000000000000002', name: 'bob', role: 'on-call' },
      ],
    },
  });
  onTestFinished(() => discord.close());
  return discord as never; // Its names are not needed.
}

/** What the checks of channels say that is not OK. */
async function said(
  { token, apiUrl, guildId: guild }: SandboxDiscord<never>,
  text: string,
  audit?: string,
): Promise<string[]> {
  const read = policyFor(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const probes = {
    now: Date.now,
    policy: () => Promise.resolve(read.policy),
    audit: () => Promise.resolve(audit === undefined ? {} : { channel: audit }),
    discord: () => probeDiscord({ token, apiUrl, guild }),
  };
  const lines = await runChecks([rights, channels, pings], probes);
  return lines
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, words }) => `${state} ${check}: ${words.markup}`);
}

it.each([
  [2, 'a voice channel'],
  [4, 'a category'],
  [13, 'a stage channel'],
  [14, 'a directory'],
  [15, 'a forum'],
  [16, 'a media channel'],
  [99, 'a channel of another kind'],
])('A channel of type %d that the policy or AUDIT_CHANNEL_ID names is %s', async (type, kind) => {
  const discord = await guildWith({ type });
  const line = `wrong channels: \`#other\` (\`${other}\`) is ${kind}: commands, cards and threads need a text channel.`;
  expect(await said(discord, policyText([ops, other]))).toEqual([line]);
  expect(await said(discord, policyText([ops]), other)).toEqual([line]);
});

it('The channel of alerts is one of them, also where the bot answers everywhere', async () => {
  const discord = await guildWith({ mute: ['viewer'] });
  const everywhere = (channel: string, more = '') =>
    policyText([ops], `alerts: { channel: "${channel}"${more} }`).replace(/^channels: .*\n/m, '');
  expect(await said(discord, everywhere('1300000000000000099'))).toEqual([
    'wrong channels: The guild has no channel `1300000000000000099`, which the policy names.',
  ]);
  discord.order({ kind: 'forbid-channel', channel: 'other', right: 'view' });
  expect(await said(discord, everywhere(ops))).toEqual([]);
  expect(await said(discord, everywhere(other))).toEqual([
    expect.stringMatching(/^wrong rights: In `#other` \(`1300000000000000007`\) the bot lacks View Channel/),
  ]);
  discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'mention' });
  expect(await said(discord, everywhere(ops, ', ping: [viewer]'))).toEqual([
    expect.stringContaining('warning pings: Pings of `viewer` notify nobody in `#ops`'),
  ]);
});

it('A thread is no channel; a news channel is one', async () => {
  const discord = await guildWith({ type: 5 });
  const thread = discord.startThread('alice', 'ops', 'web-1 is slow');
  expect(await said(discord, policyText([ops, other]))).toEqual([]);
  expect(await said(discord, policyText([thread]))).toEqual([
    `wrong channels: \`#web-1 is slow\` (\`${thread}\`) is a thread: commands, cards and threads need a text channel.`,
  ]);
});

it('A bot in time-out may only read, until that is over', async () => {
  const discord = await guildWith();
  discord.timeOut('panelops', Date.UTC(2099, 0, 2, 3, 4));
  expect(await said(discord, policyText([ops]))).toEqual([
    'wrong rights: The bot is in time-out until 2099-01-02 03:04 UTC: it may only read.',
  ]);
  discord.timeOut('panelops', Date.UTC(2026, 0, 1));
  expect(await said(discord, policyText([ops]))).toEqual([]);
});

it.each<[what: string, mute: readonly string[], more: string, names: string | undefined]>([
  ['a role that approves', ['lead'], '', '`lead`'],
  ['a role of notify', ['viewer'], 'notify: { failed: [requester, viewer] }', '`viewer`'],
  ['a role that decides on denials', ['on-call', 'lead'], 'ask-others: on', '`on-call` and `lead`'],
  ['a role that nobody pings', ['viewer', 'on-call'], '', undefined],
])('Pings of %s arrive with Mention Everyone alone, if it is not mentionable', async (_what, mute, more, names) => {
  const discord = await guildWith({ mute });
  expect(await said(discord, policyText([ops, other], more))).toEqual([]);
  discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'mention' });
  const line = `warning pings: Pings of ${names} notify nobody in \`#ops\` (\`${ops}\`): the role is not mentionable, and the bot lacks Mention Everyone there.`;
  expect(await said(discord, policyText([ops, other], more))).toEqual(names === undefined ? [] : [line]);
});
