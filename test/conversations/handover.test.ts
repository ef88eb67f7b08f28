import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { threadsOf } from '../helpers/incidents/scene.ts';
import { plain } from '../helpers/person.ts';
import { startWorld, type World } from '../helpers/world.ts';

/** However many seconds ago it was, and wherever the card is. */
const steady = (text: string): string =>
  plain(text)
    .replaceAll(/(?<=discord\.com\/channels\/)[\d/]+/g, 'G/C/M')
    .replaceAll(/run b\w+/g, 'run R');

describe('handing over', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ still: true });
  });
  afterAll(() => world.stop());

  it('nothing is open at first; mallory may not ask', async () => {
    expect(await world.bob.types('/handover')).toShow(
      'What is open',
      'Nothing is open.',
      'That covers incidents, freezes and holds, questions, restores and other jobs, and unknown outcomes.',
      'Also disabled firewalls, those flushed in the last day, servers shut down, throttles, changes not applied, and networks whitelisted with a reminder.',
      'Only what was done through this bot, on servers that you may see.',
      '[Share]',
      '(only bob sees this)',
    );
    expect(await world.mallory.types('/handover')).toContain('DENIED /handover');
  });

  it('what is open is counted and listed: since when, by whom, and where its card is', async () => {
    const confirmed = async (line: string): Promise<string> => {
      await world.alice.types(line);
      return world.alice.clicks('Confirm');
    };
    await confirmed('/firewall disable server:web-1,lab-1');
    await confirmed('/firewall disable server:web-2 interface:secondary sync:false');
    await confirmed('/power shutdown server:web-3');
    await world.bob.types('/cpu throttle server:cache-1 percent:40');
    await world.bob.types('/cpu throttle server:build-1 percent:30');
    await world.bob.types('/cpu throttle server:mail-1 percent:30 sync:false');
    await world.bob.types('/cpu throttle server:build-1 percent:0');
    await confirmed('/whitelist add server:web-1 network:192.0.2.0/24');
    await confirmed('/whitelist add server:web-1 network:198.51.100.0/24 remind:2h');
    await world.alice.types('/backup restore server:db-2 disks:0 reason:"lost update"');
    await world.alice.clicks('Confirm');
    await world.alice.fills('db-2');
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    await world.bob.types('/firewall enable server:mail-1');
    await world.alice.types('/firewall flush server:web-1');
    expect(steady(await world.alice.types('/handover'))).toMatchInlineSnapshot(`
      "alice used /handover
      panelops: What is open
        │ Open: 1 restore running, 1 unknown outcome, 2 firewalls disabled, 1 server shut down, 1 throttle set, 2 changes stored and not applied, 1 network whitelisted for a while and 1 open question.
        │ Restores running
        │ db-2 (112), job 9001: T ago by @alice · [card](https://discord.com/channels/G/C/M)
        │ Unknown outcomes
        │ mail-1 (121), /firewall enable: T ago by @bob · [card](https://discord.com/channels/G/C/M)
        │ Firewalls disabled
        │ web-1 (101), primary interface: T ago by @alice · [card](https://discord.com/channels/G/C/M)
        │ lab-1 (201), primary interface: T ago by @alice · [card](https://discord.com/channels/G/C/M)
        │ Servers shut down
        │ web-3 (103), /power shutdown: T ago by @alice · [card](https://discord.com/channels/G/C/M)
        │ Throttles set
        │ cache-1 (131), limited to 40 %: T ago by @bob · [card](https://discord.com/channels/G/C/M)
        │ Changes stored and not applied
        │ web-2 (102), /firewall disable: T ago by @alice · [card](https://discord.com/channels/G/C/M)
        │ mail-1 (121), /cpu throttle: T ago by @bob · [card](https://discord.com/channels/G/C/M)
        │ Networks whitelisted for a while
        │ web-1 (101), \`primary 198.51.100.0/24\`: T ago by @alice · [card](https://discord.com/channels/G/C/M)
        │ Open questions
        │ web-1 (101), /firewall flush, run R, waits for @alice to confirm, runs out in 2 minutes: T ago by @alice · [card](https://discord.com/channels/G/C/M)
        [Share]
        (only alice sees this)"
    `);
  });

  it('bob does not see servers that he may not see', async () => {
    const shown = await world.bob.types('/handover');
    expect(shown).not.toContain('lab-1');
    expect(shown).toContain('1 firewall disabled');
  });

  it('what was closed is not open any more', async () => {
    await world.alice.clicks('Cancel');
    await world.alice.types('/firewall enable server:web-1,lab-1');
    expect(await world.bob.types('/handover')).not.toContain('secondary');
    await world.bob.types('/firewall sync server:web-2 interface:secondary');
    expect(await world.bob.types('/handover')).toContain('web-2 (102), secondary interface');
    await world.bob.types('/firewall enable server:web-2 interface:secondary');
    await world.bob.types('/power boot server:web-3');
    await world.bob.types('/cpu throttle server:cache-1,mail-1 percent:0');
    await world.alice.types('/whitelist remove server:web-1 address:198.51.100.0');
    await world.alice.clicks('Confirm');
    expect(steady(await world.alice.types('/handover'))).toShow(
      'What is open',
      'Open: 1 restore running and 1 unknown outcome.',
      '[Share]',
      '(only alice sees this)',
    );
  });

  it('has pages when it is long', async () => {
    await world.alice.types('/cpu throttle server:web-1,web-2,web-3,db-1,db-2,mail-1,cache-1 percent:50');
    await world.alice.types('/cpu throttle server:build-1,legacy-1,vpn-1,lab-1,lab-2 percent:50');
    expect(await world.alice.types('/handover')).toContain('Showing 1–10 of 14 open items.');
    expect(await world.alice.clicks('Next')).toContain('Showing 11–14 of 14 open items.');
  });
});

describe('handing over an incident', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ still: true });
  });
  afterAll(() => world.stop());

  const wild = '**@everyone** [x](https://evil.example) <@&1200000000000000003> `a` \u202Eb';

  it('lists it until it has ended: its title as text, its age, who opened it, and its thread as a link', async () => {
    await world.alice.types('/incident start title:"web-1 does not answer"');
    await world.alice.types(`/incident start title:"${wild}"`);
    const [first = '', second = ''] = threadsOf(world);
    const shown = await world.bob.types('/handover');
    expect(steady(shown)).toShow(
      'What is open',
      'Open: 2 incidents.',
      'Incidents',
      '`web-1 does not answer`: T ago by @alice · [thread](https://discord.com/channels/G/C/M)',
      '`**@everyone** [x](https://evil.example) <@&1200000000000000003> ˋaˋ  b`: T ago by @alice · [thread](https://discord.com/channels/G/C/M)',
      '[Share]',
      '(only bob sees this)',
    );
    for (const thread of [first, second]) expect(shown).toMatch(new RegExp(`/channels/\\d+/${thread}\\)`));
    await world.alice.types('/incident end', first);
    await world.alice.types('/incident end', second);
    expect(await world.bob.types('/handover')).toContain('Nothing is open.');
  });
});

describe('a firewall that was flushed', () => {
  const left = 'Open: 1 firewall left without rules.';
  async function flushed(): Promise<World> {
    const world = await startWorld({ still: true });
    onTestFinished(() => world.stop());
    await world.alice.types('/firewall flush server:web-1');
    await world.alice.clicks('Confirm');
    return world;
  }

  it('is open until this bot sets rules there, which are not those that were removed', async () => {
    const world = await flushed();
    const card = await world.alice.types('/handover');
    expect(card).toContain(left);
    expect(card).toMatch(/Firewalls left without rules\n.*web-1 \(101\), primary interface: .* by @alice/);
    expect(await world.bob.types('/server show server:web-1')).toContain(
      '**Firewall left without rules** primary interface',
    );
    await world.alice.types('/firewall replace server:web-1 rulesets:2');
    await world.alice.clicks('Confirm');
    expect(await world.alice.types('/handover')).toContain('Nothing is open.');
    await world.discord.until(() => world.alice.sees().includes('Changed again since, by @alice'));
    expect(world.alice.sees()).not.toContain('Undone since');
  });

  it('is listed for a day: what somebody sets in the panel does not close it', async () => {
    const world = await flushed();
    world.timePasses(23 * 3_600_000);
    expect(await world.alice.types('/handover')).toContain(left);
    world.timePasses(2 * 3_600_000);
    expect(await world.alice.types('/handover')).toContain('Nothing is open.');
  });
});
