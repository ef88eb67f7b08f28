import { describe, expect, it } from 'vitest';
import { asks, changes, confirms, labelsOf, textOf, until } from '../helpers/messages.ts';
import { changePolicy, exampleWith, listedByPanel } from '../helpers/policy/in-force.ts';
import { fileOf, parseCsv } from '../helpers/record/scene.ts';
import { shellFor, shellPolicy, terminalAt } from '../helpers/terminal.ts';
import { openWorld, type World, type WorldOptions, worldForEach } from '../helpers/world.ts';

const policy = listedByPanel(exampleWith());

const options: WorldOptions = {
  still: true,
  audit: true,
  policy,
  intervals: { inventory: { every: 3_600_000, wait: () => Promise.resolve() } },
};
const world = worldForEach(options);

const refresh = (): Promise<string> => world.alice.types('/panel refresh');
const serverAt = ({ panel }: World, id: number) => {
  const found = panel.state.servers.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no server ${id}`);
  return found;
};
const remove = ({ panel }: World, ...ids: number[]): void => {
  for (const id of ids) panel.stock({ do: 'delete', id });
};
const create = ({ panel }: World, name: string) => panel.stock({ do: 'create', name });
const rename = ({ panel }: World, id: number, name: string) => panel.stock({ do: 'rename', id, name });
const offered = async (typed: string): Promise<string> =>
  (await world.alice.chooses(`/firewall disable server:${typed}`, 'server')).map(({ name }) => name).join('\n');
const exported = async (format: 'csv' | 'md'): Promise<string> => {
  await world.alice.types(`/audit export format:${format}`);
  return fileOf(world, 'alice').text;
};
const configured = () => world.entries().flatMap((each) => (each.kind === 'configured' ? (each.difference ?? []) : []));

describe('servers from the panel', () => {
  it('have names as soon as they are there: a new one is flushed by name, and the intent has the list', async () => {
    expect(await refresh()).toContain('The panel lists 12 servers.');
    expect(await world.alice.types('/firewall flush server:web-9')).toContain('the policy names no server `web-9`');
    create(world, 'web-9');
    expect(await refresh()).toContain('`+ 1: web-9 (301)`');
    expect(await world.alice.types('/firewall flush server:web-9')).toContain('web-9 (301, production)');
    expect(await world.alice.clicks('Confirm')).toContain('SUCCEEDED');
    expect(changes(world).map(({ path }) => path)).toEqual(['/servers/301/firewall/primary/rules?sync=true']);
    expect(world.ledger().find(({ kind }) => kind === 'intent')).toMatchObject({
      list: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
    expect(configured()).toContain('+ 1: web-9 (301)');
    expect(world.panel.requests.some(({ path }) => path === '/servers?type=simple&results=200&page=1')).toBe(true);
    expect(world.logged()).not.toContain('sandbox-server-password');
  });

  it('decide again where the panel calls one something else that nobody can type', async () => {
    rename(world, 102, 'web 2, customer A');
    await refresh();
    await asks(world, '/firewall flush server:102');
    rename(world, 102, 'web 2, customer B');
    await refresh();
    expect(await world.alice.clicks('Confirm')).toContain(
      'has become server 102 (`web 2, customer B`, production). Nothing was sent.',
    );
    expect(changes(world)).toEqual([]);
    expect(await world.alice.types('/server show server:102')).toContain(
      'Server 102 (`web 2, customer B`, production)',
    );
  });

  it('are forgotten after two walks without them, and what is open there is still told', async () => {
    await refresh();
    await confirms(world.alice, '/firewall disable server:lab-2');
    remove(world, 202);
    await refresh();
    expect(await offered('lab-')).toContain('lab-2');
    expect(await refresh()).toContain('`- 1: lab-2 (202)`');
    expect(await offered('lab-')).not.toContain('lab-2');
    expect(await world.alice.types('/handover')).toContain('lab-2 (202');
    expect(await world.alice.types('/server show server:202')).toContain('Server lab-2 (202, lab, gone)');
  });

  it('keep their names while the panel is down, also over a restart, with the time of the list', async () => {
    await refresh();
    world.panel.order({ kind: 'status-before', times: 0 });
    await world.restart();
    expect(await refresh()).toMatch(/\/groups cannot be read .*\n*.*The bot keeps using the list of T ago/);
    expect(await offered('web-')).toContain('web-2');
  });

  it('wait where more than a third is gone, until somebody accepts the list by its digest and says why', async () => {
    for (let n = 0; n < 88; n += 1) create(world, `new-${n}`);
    expect(await refresh()).toContain('The panel lists 100 servers.');
    remove(world, 101, 102, 103, 111, 112, ...Array.from({ length: 35 }, (_, n) => 301 + n));
    const odd = await refresh();
    expect(odd).toContain('The list looks wrong: 40 of 100 servers are gone. It is not in use.');
    await refresh();
    expect(await offered('web-')).toContain('web-2');
    const [, digest = ''] = /accept:([0-9a-f]{12})/.exec(odd) ?? [];
    expect(await world.alice.types(`/panel refresh accept:${digest}`)).toContain('Say why this list is right');
    expect(await world.alice.types('/panel check')).toContain('40 of 100 servers are gone');
    expect(await world.alice.types(`/panel refresh accept:${digest} reason:"rack 1 sold"`)).toContain(
      'lists 60 servers',
    );
    expect(await offered('web-2')).not.toContain('web-2');
    expect(configured().join('\n')).toMatch(new RegExp(`${digest} accepted by alice \\(\\d+\\): rack 1 sold`));
  });

  it('are held to both tiers after a move, until somebody accepts the list that /panel refresh names', async () => {
    await refresh();
    Object.assign(serverAt(world, 102), { hypervisorId: 21 });
    const moved = await refresh();
    expect(moved).toContain('`moved 1: web-2 (102) from group 1 to 3`');
    await world.alice.types('/freeze tier:production reason:deploy');
    expect(await world.alice.types('/power boot server:web-2')).toContain('BLOCKED');
    const [, digest = ''] = /accept:([0-9a-f]{12})/.exec(moved) ?? [];
    expect(await world.alice.types(`/panel refresh accept:${digest} reason:"sold to the lab"`)).not.toContain(
      'accept:',
    );
    expect(await world.alice.types('/power boot server:web-2')).not.toContain('BLOCKED');
  });

  it('are read again on SIGHUP', async () => {
    await refresh();
    create(world, 'web-9');
    changePolicy(world, policy);
    await until(() => configured().includes('+ 1: web-9 (301)'), 'the refresh');
  });

  it.each([
    '@everyone <@&1200000000000000003> [evil](https://evil.example)',
    '`evil` ```evil \u202eevil\u200b\u0000 # evil\n> evil\n||evil|| **evil**',
    `=HYPERLINK("https://evil.example","evil"),tier:evil;@evil\t=evil \u001b[2Jevil \u009b2Jevil ../../evil ${'x'.repeat(4_000)}`,
  ])('keep %j within code: on cards, questions, buttons, lists, the trail and exports', async (name) => {
    rename(world, 202, name);
    await refresh();
    await refresh();
    const said: string[] = [];
    for (const line of ['/server show', '/can command:power.boot', '/hold reason:mine', '/audit history'])
      said.push(await world.alice.types(`${line} server:202`));
    said.push(await confirms(world.alice, '/firewall disable server:202'), await world.alice.types('/handover'));
    said.push(await offered('202'), await offered('evil'), await exported('md'));
    const cells = parseCsv(await exported('csv')).flat();
    expect(cells.filter((cell) => /^\s*[=+@-]/.test(cell))).toEqual([]);
    expect(cells.some((cell) => cell.includes('evil'))).toBe(true);
    const posted = ['ops', 'audit']
      .flatMap((channel) => world.discord.messages('alice', channel))
      .flatMap((each) => [textOf(each), ...each.embeds.map(({ description }) => description ?? ''), ...labelsOf(each)]);
    const outside = [...said, ...posted].map((text) => text.replace(/```[^`]*```|`[^`\n]*`/g, ''));
    expect(outside.filter((text) => /evil|everyone|<@&|\u202e|\u200b/.test(text))).toEqual([]);
    expect(posted.join('\n')).toContain('server 202 (`');
  });

  it('say that they are suspended or protected: while people type, on the question, and on what is shown of them', async () => {
    world.panel.stock({ do: 'suspend', id: 102, on: true });
    await refresh();
    expect(await offered('web-2')).toBe('web-2 · 102 · production · suspended');
    expect(await world.alice.types('/firewall flush server:web-2')).toContain('web-2 (102) is suspended in the panel.');
    expect(await world.alice.types('/backup restore server:lab-2 disks:0 reason:x')).toContain(
      'lab-2 (202) is protected: the panel will refuse the restore.',
    );
    const shown = await world.alice.types('/server show server:lab-2');
    expect(shown).toContain('Protected in the panel: it refuses to restore a backup over it.');
  });

  it('are reached by their ids, which /can says', async () => {
    await refresh();
    expect(await world.bob.types('/can command:power.boot server:web-2')).toContain('roles reach it by its id');
  });

  it('are refreshed and accepted only by whom the policy gives that by its id, and a refusal is recorded', async () => {
    await refresh();
    remove(world, 101, 102, 103, 111, 112);
    const [, digest = ''] = /accept:([0-9a-f]{12})/.exec(await refresh()) ?? [];
    const walks = () => world.panel.requests.filter(({ path }) => path.startsWith('/servers?')).length;
    const before = walks();
    expect(await world.bob.types('/panel refresh')).toContain('DENIED');
    expect(await world.bob.types(`/panel refresh accept:${digest} reason:"rack 1 sold"`)).toContain('DENIED');
    // What she has but for this is everything: "*".
    changePolicy(world, policy.replace('panel.refresh, ', ''));
    await until(() => walks() > before, 'the walk of the reload');
    expect(await refresh()).toMatch(/DENIED.*\n.*none of your roles has the permission `panel.refresh`/);
    const denied = () => world.ledger().filter(({ kind, command }) => kind === 'denied' && command === 'panel.refresh');
    await expect.poll(() => denied().map(({ actor }) => actor.name)).toEqual(['bob', 'bob', 'alice']);
    expect(await offered('web-')).toContain('web-2');
  });
});

describe('whoever may rename a server in the panel', () => {
  /** Whoever may rename a server in the panel tries to have another one changed, or another thing believed. */
  const intervals = { inventory: { every: 3_600_000, wait: () => Promise.resolve() } };
  const world = worldForEach({ still: true, audit: true, policy: listedByPanel(exampleWith()), intervals });

  const refresh = (): Promise<string> => world.alice.types('/panel refresh');
  const rename = (id: number, name: string) => world.panel.stock({ do: 'rename', id, name });

  const denied = () => world.ledger().filter(({ kind }) => kind === 'denied');

  async function swap(): Promise<void> {
    rename(102, 'between');
    await refresh();
    rename(103, 'web-2');
    rename(102, 'web-3');
    await refresh();
  }

  describe('a server that is renamed', () => {
    it('stays the one that a denial was about, for its buttons', async () => {
      await refresh();
      expect(await world.bob.types('/backup restore server:web-2 disks:0 reason:x')).toContain('[Break glass]');
      expect(await world.bob.types('/firewall flush server:web-2 reason:x')).toContain('[Ask a lead]');
      await until(() => denied().length === 2, 'the records');
      expect(denied().map(({ meant }) => meant)).toEqual([[102], [102]]);
      await swap();
      expect(await world.bob.clicks('Ask a lead')).toContain('web-3 (102, production)');
      expect(changes(world)).toEqual([]);
    });

    it('is not taken on for somebody else under another name than they asked for', async () => {
      await refresh();
      await world.bob.types('/firewall flush server:web-2 reason:x');
      await world.bob.clicks('Ask a lead');
      rename(102, 'db-8');
      await refresh();
      expect(await world.alice.clicks('Approve')).toContain(
        'Since this was asked, web-2 (102, production) has become db-8 (102, production). Nothing was sent.',
      );
      expect(world.ledger().some(({ kind }) => kind === 'asked')).toBe(false);
    });
  });

  describe('a server at a terminal', () => {
    it('keeps what the panel calls it in backticks, and moves no cursor', async () => {
      const { shell, as } = shellFor();
      const at = await openWorld({ policy: listedByPanel(shellPolicy), shell, intervals });
      as(1001);
      const name = '\u001b]0;x\u0007\u009b2J\u202e\u200b\r\nweb-1, lab) is empty.` <@&1200000000000000003> **b**';
      at.panel.stock({ do: 'rename', id: 202, name });
      await at.alice.types('/panel refresh');
      for (const line of ['server show server:202', 'can command:power.boot server:202', 'panel check', 'handover']) {
        const client = terminalAt(shell.socket, { what: 'do', line }, { pipe: true });
        await client.code;
        expect(client.seen()).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
        const outside = client.seen().replaceAll(/`[^`]*`/g, '');
        expect(outside).not.toContain('is empty.');
      }
      const client = terminalAt(shell.socket, { what: 'do', line: 'firewall flush server:202' });
      await client.after('Type "Flush server 202" or "Cancel": ', 'cancel');
      await client.code;
      expect(client.seen().replaceAll(/`[^`]*`/g, '')).not.toContain('is empty.');
      // Those that the client moves the cursor with are its own.
      expect(client.seen().replaceAll(/\p{Cc}\[\d*[A-Z]|\r/gu, '')).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    });
  });
});
