import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { readMarkdown } from '../helpers/discord/markdown.ts';
import { unseen } from '../helpers/discord/outside.ts';
import { startWorld, type World } from '../helpers/world.ts';

/** What a stranger might call a thing. Each has the word NASTY wherever it could mean something to Discord. */
const names: readonly [what: string, name: string][] = [
  ['mentions of everybody', '@everyone NASTY @here'],
  ['mentions in angle brackets', 'NASTY <@1000000000000000002> <@&1200000000000000003> <#1300000000000000001> <t:0:R>'],
  ['links', '[NASTY](https://nasty.example) https://nasty.example/NASTY <https://nasty.example/NASTY>'],
  ['backticks', '` NASTY @everyone `` NASTY ``` NASTY @here'],
  ['a block of code', '```js\nNASTY @everyone\n``` NASTY @here'],
  ['lines and their marks', 'a\n# NASTY\n- NASTY\n> NASTY\r\n>>> NASTY\u2028NASTY'],
  ['spoilers and stress', '||NASTY|| **NASTY** ~~NASTY~~ \\`NASTY\\` @everyone'],
  ['what cannot be seen', '\u202eNASTY\u2066 NASTY\u200b@everyone \ud83d NASTY'],
  ['ten thousand characters', 'NASTY @everyone https://nasty.example '.repeat(300)],
];

describe('what the panel calls things, on the cards that Discord has', () => {
  let world: World;
  beforeAll(async () => {
    // Still: a card that is followed would change in the midst of another command.
    world = await startWorld({ hurry: true, still: true });
  });
  afterAll(() => world.stop());

  // Without the bytes of its pictures: as JSON, those of many cards take longer than the bot has for an answer.
  const face = ({ files, ...rest }: SeenMessage): string => JSON.stringify([rest, files.map(({ url }) => url)]);

  /** The messages that came or changed in alice's channel. */
  async function messagesOf(deed: () => Promise<unknown>): Promise<SeenMessage[]> {
    const before = new Set(world.discord.messages('alice', 'ops').map(face));
    await deed();
    return world.discord.messages('alice', 'ops').filter((message) => !before.has(face(message)));
  }

  /** Fails unless the name is on the card, as code and as nothing else, and nobody is pinged. */
  async function harmless(deed: () => Promise<unknown>): Promise<void> {
    const [message, ...others] = await messagesOf(deed);
    expect(others).toEqual([]);
    const { content = '', embeds = [], pinged, mentions } = message ?? {};
    expect(pinged).toEqual([]);
    expect(mentions).toEqual({ users: [], roles: [], everyone: false });
    const texts = [content, ...embeds.flatMap(({ description, footer }) => [description ?? '', footer?.text ?? ''])];
    // A card links to that of a power action that is under way; what such a link says is the bot's own.
    const ownLink = /\(\[run \w+\.1\]\(https:\/\/discord\.com\/channels\/\d+\/\d+\/\d+\)\)/g;
    const readings = texts.map((text) => readMarkdown(text.replaceAll(ownLink, '')));
    const outside = readings.map((reading) => reading.outside).join('\n');
    expect(outside).not.toMatch(/nasty|@everyone|@here|<[#&]|<t:0:|https?:|`/i);
    const codes = readings.flatMap(({ code }) => code);
    expect(codes.join('\n')).toContain('NASTY');
    for (const line of codes.join('\n').split('\n')) expect(line).not.toMatch(unseen);
  }

  function rename(name: string): void {
    const { groups } = world.panel.state;
    for (const group of groups) Object.assign(group, { name, label: name, description: name, created: name });
    for (const each of groups.flatMap(({ hypervisors }) => hypervisors)) {
      each.name = name;
      each.localStorage = { ...each.localStorage, name, allocated: 9000 };
    }
    const server = world.panel.state.server(101);
    const settings = { enabled: true, rules: [{ [name]: name, id: 1 }] };
    server.interfaces.primary.firewall = { stored: settings, applied: settings };
    for (const period of server.traffic.periods) Object.assign(period, { start: name, end: name });
    for (const block of server.traffic.assigned) Object.assign(block, { start: name, end: name });
    groups[0]?.pool.unshift(name);
  }

  it.each(names)('%s as a name are a name and nothing else', async (_what, name) => {
    const { alice, panel } = world;
    rename(name);
    world.minutePasses();
    await harmless(() => alice.types('/hypervisors groups'));
    await harmless(() => alice.types('/hypervisors group group:1'));
    await harmless(() => alice.types('/hypervisors resources group:1'));
    await harmless(() => alice.types('/firewall show server:web-1'));
    await harmless(() => alice.types('/traffic show server:web-1'));
    await harmless(() => alice.types('/traffic add server:web-1 month:1 amount:1'));
    await alice.clicks('Cancel');
    await alice.types('/ipv4 assign server:web-1 quantity:1');
    await harmless(() => alice.clicks('Confirm'));

    const bodies = [name, { errors: [name, name] }, { errors: { [name]: [name] } }, { msg: name }];
    for (const body of bodies) {
      panel.order({ kind: 'status-before', status: 422, body });
      await harmless(() => alice.types('/hypervisors groups'));
      panel.order({ kind: 'status-before', status: 422, body });
      await harmless(() => alice.types('/power boot server:web-1'));
    }
  });

  it.each(names)('%s as a reason are a reason and nothing else', async (_what, name) => {
    const { alice } = world;
    const reason = name.slice(0, 200).replace(/[\\"]/g, '\\$&');
    await harmless(() => alice.types(`/power poweroff server:web-2 reason:"${reason}"`));
    await harmless(() => alice.clicks('Cancel'));
    await harmless(() => alice.types(`/power boot server:web-2 reason:"${reason}"`));
  });
});
