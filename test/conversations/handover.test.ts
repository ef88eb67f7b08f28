import { describe, expect, it } from 'vitest';
import { threadsOf } from '../helpers/incidents/scene.ts';
import { confirms, until } from '../helpers/messages.ts';
import { changePolicy } from '../helpers/policy/in-force.ts';
import { examplePolicy, openWorld, type World, type WorldOptions, worldForAll } from '../helpers/world.ts';

describe('handing over', () => {
  const world = worldForAll({ still: true });

  it('says that nothing is open at first; mallory may not ask', async () => {
    expect(await world.bob.types('/handover')).toShow(
      'What is open',
      'Nothing is open.',
      'Only what was done through this bot, on servers that you may see.',
      '[Share]',
      '(only bob sees this)',
    );
    expect(await world.mallory.types('/handover')).toContain('DENIED /handover');
  });

  it('counts and lists what is open: since when, by whom, and where its card is; not what is hidden or was closed', async () => {
    await confirms(world.alice, '/firewall disable server:web-1,lab-1');
    await confirms(world.alice, '/firewall disable server:web-2 interface:secondary sync:false');
    await confirms(world.alice, '/power shutdown server:web-3');
    await world.bob.types('/cpu throttle server:cache-1,build-1 percent:40');
    await world.bob.types('/cpu throttle server:mail-1 percent:30 sync:false');
    await world.bob.types('/cpu throttle server:build-1 percent:0');
    await confirms(world.alice, '/whitelist add server:web-1 network:192.0.2.0/24');
    await confirms(world.alice, '/whitelist add server:web-1 network:198.51.100.0/24 remind:2h');
    await confirms(world.alice, '/backup restore server:db-2 disks:0 reason:"lost update"', 'db-2');
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    await world.bob.types('/firewall enable server:mail-1');
    await world.alice.types('/firewall flush server:web-1');
    const card = await world.alice.types('/handover');
    const by = (who: string) => `: T ago by @${who} · [card](https://discord.com/channels/G/C/M)`;
    expect(
      card
        .split('\n')
        .slice(2, -2)
        .map((line) => line.replace(/^ *│ /, '')),
    ).toEqual([
      'Open: 1 restore running, 1 unknown outcome, 2 firewalls disabled, 1 server shut down, 1 throttle set, 2 changes stored and not applied, 1 network whitelisted for a while and 1 open question.',
      ...['Restores running', `db-2 (112), job 9001${by('alice')}`],
      ...['Unknown outcomes', `mail-1 (121), /firewall enable${by('bob')}`],
      'Firewalls disabled',
      ...['web-1', 'lab-1'].map((name, n) => `${name} (${n * 100 + 101}), primary interface${by('alice')}`),
      ...['Servers shut down', `web-3 (103), /power shutdown${by('alice')}`],
      ...['Throttles set', `cache-1 (131), limited to 40 %${by('bob')}`],
      'Changes stored and not applied',
      ...[`web-2 (102), /firewall disable${by('alice')}`, `mail-1 (121), /cpu throttle${by('bob')}`],
      ...['Networks whitelisted for a while', `web-1 (101), \`primary 198.51.100.0/24\`${by('alice')}`],
      'Open questions',
      `web-1 (101), /firewall flush, run R, waits for @alice to confirm, runs out in 2 minutes${by('alice')}`,
    ]);
    const bobs = await world.bob.types('/handover');
    expect(bobs).toContain('1 firewall disabled');
    expect(bobs).not.toContain('lab-1');

    await world.alice.types('/handover');
    await world.alice.clicks('Cancel');
    await world.alice.types('/firewall enable server:web-1,lab-1');
    expect(await world.bob.types('/handover')).not.toContain('secondary');
    await world.bob.types('/firewall sync server:web-2 interface:secondary');
    expect(await world.bob.types('/handover')).toContain('web-2 (102), secondary interface');
    await world.bob.types('/firewall enable server:web-2 interface:secondary');
    await world.bob.types('/power boot server:web-3');
    await world.bob.types('/cpu throttle server:cache-1,mail-1 percent:0');
    await confirms(world.alice, '/whitelist remove server:web-1 address:198.51.100.0');
    expect(await world.alice.types('/handover')).toContain('Open: 1 restore running and 1 unknown outcome.');
  });

  it('has pages when it is long', async () => {
    await world.alice.types('/cpu throttle server:web-1,web-2,web-3,db-1,db-2,mail-1,cache-1 percent:50');
    await world.alice.types('/cpu throttle server:build-1,legacy-1,vpn-1,lab-1,lab-2 percent:50');
    expect(await world.alice.types('/handover')).toContain('Showing 1–10 of 14 open items.');
    expect(await world.alice.clicks('Next')).toContain('Showing 11–14 of 14 open items.');
  });

  it('lists an incident until it has ended: its title as text, its age, who opened it, and its thread as a link', async () => {
    const wild = '**@everyone** [x](https://evil.example) <@&1200000000000000003> `a` \u202Eb';
    await world.alice.types(`/incident start title:"${wild}"`);
    const thread = threadsOf(world)[0] ?? '';
    expect(await world.bob.types('/handover')).toContain(
      '`**@everyone** [x](https://evil.example) <@&1200000000000000003> ˋaˋ  b`: T ago by @alice · [thread](https://discord.com/channels/G/C/M)',
    );
    expect(world.discord.view('bob', 'ops')).toMatch(new RegExp(`/channels/\\d+/${thread}\\)`));
    await world.alice.types('/incident end', thread);
    expect(await world.bob.types('/handover')).not.toContain('incident');
  });
});

it('A firewall that was flushed is open for a day, or until this bot sets rules there, which is not an undo', async () => {
  const left = 'Open: 1 firewall left without rules.';
  const flushed = async (): Promise<World> => {
    const world = await openWorld({ still: true });
    await confirms(world.alice, '/firewall flush server:web-1');
    return world;
  };
  const world = await flushed();
  expect(await world.alice.types('/handover')).toContain(left);
  expect(await world.bob.types('/server show server:web-1')).toContain(
    '**Firewall left without rules** primary interface',
  );
  await confirms(world.alice, '/firewall replace server:web-1 rulesets:2');
  expect(await world.alice.types('/handover')).toContain('Nothing is open.');
  await world.discord.until(() => world.alice.sees().includes('Changed again since, by @alice'));
  expect(world.alice.sees()).not.toContain('Undone since');

  const other = await flushed();
  other.timePasses(23 * 3_600_000);
  expect(await other.alice.types('/handover')).toContain(left);
  other.timePasses(2 * 3_600_000);
  expect(await other.alice.types('/handover')).toContain('Nothing is open.');
});

const on = examplePolicy.replace('handover-pin: off', 'handover-pin: on');

async function start(options: WorldOptions = {}) {
  const world = await openWorld({ policy: on, still: true, ...options });
  /** Messages of the bot's that are the handover's, oldest first. */
  const messages = () =>
    world.discord
      .messages('alice', 'ops')
      .filter(({ content, system }) => system === undefined && content.startsWith('**Handover** · '));
  const says = (words: string): Promise<string> =>
    world.discord.until(() => {
      const [pinned = ''] = world.discord.pins('ops');
      const message = messages().find(({ id }) => id === pinned);
      return message?.content === `**Handover** · ${words}` && message.id;
    });
  return { world, messages, says };
}

const oneOpen = 'open: 1 throttle set. /handover shows which, since when and by whom.';

describe('the pinned handover', () => {
  it('is off unless the policy wants it', async () => {
    const { world, messages } = await start({ policy: examplePolicy });
    await world.bob.types('/cpu throttle server:web-1 percent:50');
    await world.restart();
    expect(messages()).toEqual([]);
    expect(world.discord.pins('ops')).toEqual([]);
  });

  it('counts what is open in one message, also after a restart or a 404 of Discord, and notifies nobody', async () => {
    const { world, messages, says } = await start();
    const id = await says('nothing is open.');
    await world.bob.types('/cpu throttle server:web-1 percent:50');
    expect(await says(oneOpen)).toBe(id);
    // Discord may answer 404 for one that is there.
    const match = { method: 'PATCH', path: `/channels/*/messages/${id}` };
    world.discord.order({ kind: 'status', status: 404, match });
    await world.restart();
    await world.alice.types('/cpu throttle server:web-1 percent:0');
    expect(await says('nothing is open.')).toBe(id);
    expect(messages()).toHaveLength(1);
    expect(messages()[0]?.pinged).toEqual([]);
    expect(world.discord.pins('ops')).toEqual([id]);
    expect(world.discord.pins('random')).toEqual([]);
  });

  it('comes again when somebody deleted it', async () => {
    const { world, messages, says } = await start();
    const id = await says('nothing is open.');
    world.discord.deleteMessage('alice', id);
    // Also when the counts stay as they are.
    const newer = await says('nothing is open.');
    expect(newer).not.toBe(id);
    world.discord.deleteMessage('alice', newer);
    await world.bob.types('/cpu throttle server:web-1 percent:50');
    expect(await says(oneOpen)).not.toBe(newer);
    expect(messages()).toHaveLength(1);
  });

  it('comes again when Discord takes no more edits of it, and the old one is not pinned any more', async () => {
    let ahead = 0;
    const { world, says } = await start({
      discord: { now: () => Date.now() + ahead, limits: { lateEdits: { count: 0, ms: 3_600_000 } } },
    });
    const id = await says('nothing is open.');
    ahead = 2 * 3_600_000;
    world.discord.order({ kind: 'status', status: 404, match: { method: 'DELETE' } });
    await world.bob.types('/cpu throttle server:web-1 percent:50');
    const newer = await says(oneOpen);
    expect(newer).not.toBe(id);
    await until(() => world.discord.pins('ops').length === 1, 'one pin');
    expect(world.discord.pins('ops')).toEqual([newer]);
  });

  it('is unpinned when a reload turns it off, also if Discord fails at first', async () => {
    const { world, says } = await start();
    await says('nothing is open.');
    world.discord.order({ kind: 'status', status: 404, match: { method: 'DELETE' } });
    changePolicy(world, examplePolicy);
    await until(() => world.discord.pins('ops').length === 0, 'no pin');
  });

  it('cannot be pinned: said once in the log and by /panel check, and nothing else suffers', async () => {
    const { world, messages, says } = await start();
    await says('nothing is open.');
    world.discord.deleteMessage('alice', messages()[0]?.id ?? '');
    world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'pin' });
    expect(await world.bob.types('/cpu throttle server:web-1 percent:50')).toContain('SUCCEEDED');
    await until(() => messages()[0]?.content === `**Handover** · ${oneOpen}`, 'a message');
    const words = 'cannot be pinned: give the bot Pin Messages there.';
    await until(() => world.logged().includes(words), 'the log');
    expect(await world.carol.types('/panel check')).toContain(`The handover message in #ops ${words}`);
    await world.alice.types('/cpu throttle server:web-1 percent:0');
    await until(() => messages()[0]?.content === '**Handover** · nothing is open.', 'an edit');
    await world.alice.types('/cpu throttle server:web-1 percent:10');
    await until(() => messages()[0]?.content === `**Handover** · ${oneOpen}`, 'an edit');
    expect(messages()).toHaveLength(1);
    expect(world.logged().split(words)).toHaveLength(2);

    world.discord.clear();
    await world.alice.types('/cpu throttle server:web-1 percent:0');
    await says('nothing is open.');
    expect(await world.carol.types('/panel check')).not.toContain('handover');
  });
});
