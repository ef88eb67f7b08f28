import { afterEach, describe, expect, it } from 'vitest';
import { policyWithout } from '../../helpers/follow-ups/story.ts';
import { changes } from '../../helpers/messages.ts';
import { examplePolicy, openWorld, worldForAll } from '../../helpers/world.ts';

const policy = examplePolicy.replace(
  'commands:\n',
  'commands:\n  - { match: [power.boot, ipv4.assign, firewall.sync], reason: required }\n',
);
const boot = '/power boot server:web-1';

describe('a reason that the policy wants and that is missing', () => {
  const world = worldForAll({ still: true, policy });
  afterEach(() => world.discord.clear());

  const modal = () => world.discord.modalOf('bob');
  const messages = () => world.discord.messages('bob', 'ops');

  it('is asked for in a form; then the command goes its whole way with it', async () => {
    expect(await world.alice.types('/backup restore server:web-1 disks:0')).toBe('modal: /backup restore · web-1');
    expect(world.discord.modalOf('alice')?.inputs).toMatchObject([
      { label: 'Why? For the ledger and the card', required: true, maxLength: 200 },
    ]);
    expect(world.entries().filter(({ kind }) => kind !== 'started')).toEqual([]);
    const question = await world.alice.fills('lost update');
    expect(question).toContain('QUESTION /backup restore · web-1 (101, production)');
    await world.alice.clicks('Confirm');
    expect(await world.alice.fills('web-1')).toContain('ACCEPTED /backup restore · web-1');
    expect(world.ledger().map(({ kind, options }) => [kind, options['reason']])).toContainEqual([
      'intent',
      'lost update',
    ]);
  });

  it('outlives the bot that asked for it, and is taken once', async () => {
    const sent = changes(world).length;
    await world.bob.types(boot);
    const id = modal()?.customId ?? '';
    await world.restart();
    expect(await world.bob.fills('it is down')).toContain('ACCEPTED /power boot · web-1');
    const message = messages().at(-1)?.id ?? '';
    await world.restart();
    await world.discord.forge('bob', message, id, { typed: 'it is down' });
    await world.discord.until(() => messages().find(({ content }) => content.includes('NOT-SENT this form')));
    expect(changes(world)).toHaveLength(sent + 1);
  });
});

const berlin = examplePolicy.replace('timezone: UTC', 'timezone: Europe/Berlin');

/** The last time that clocks in Berlin showed 22:00, in Unix seconds. */
function lastTen(): number {
  const hourThere = (ms: number): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' }).format(ms);
  let at = Math.floor(Date.now() / 60_000) * 60_000;
  while (hourThere(at) !== '22:00') at -= 60_000;
  return at / 1000;
}

describe('times, as the team types them', () => {
  const world = worldForAll({ still: true, policy: berlin });

  const lastBody = (): unknown => JSON.parse(JSON.stringify(world.panel.requests.at(-1)?.body ?? null));
  const lastCard = (): string => world.discord.messages('alice', 'ops').at(-1)?.embeds[0]?.description ?? '';

  it('a restore to 22:00 goes to the last 22:00 of the team; the card shows it, the panel gets Unix seconds', async () => {
    const at = lastTen();
    await world.alice.types('/backup restore server:web-1 disks:0 until:0=22:00 reason:"lost update"');
    expect(lastCard()).toContain(`, 22:00 (Europe/Berlin) (<t:${at}:f> for you, <t:${at}:R>).`);
    expect(lastCard()).toMatch(/Disk 0: \d+ \w+ \d{4}, 22:00/);
    await world.alice.clicks('Confirm');
    await world.alice.fills('web-1');
    expect(lastBody()).toMatchObject({ disks: ['0'], diskUntils: { 0: at } });
  });

  it('a reminder at a clock says so in the question, and is due then, however late it is confirmed', async () => {
    await world.alice.types('/firewall disable server:web-1 remind:22:00');
    const due = lastTen() + 24 * 3600;
    expect(
      [due - 3600, due, due + 3600].some((at) => lastCard().includes(`22:00 (Europe/Berlin) (<t:${at}:f> for you`)),
    ).toBe(true);
    world.timePasses(60_000);
    await world.alice.clicks('Confirm');
    const [said = ''] = world.ledger().flatMap(({ remind }) => remind ?? []);
    expect(new Date(said).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('22:00:00');
  });
});

describe('the dates of backups', () => {
  const world = worldForAll({ still: true });
  const line = '/backup restore server:web-1 disks:0 reason:x';
  const namesOf = async (typed: string): Promise<string[]> =>
    (await world.alice.chooses(typed, 'until')).map(({ name }) => name);

  it('are offered for `until` before the usual times, can be sent as offered, and are in the question', async () => {
    const offered = await world.alice.chooses(line, 'until');
    expect(offered.slice(0, 7).map(({ name }) => name.replace(/\w+ \d+ \w+/, 'DAY'))).toEqual(
      Array.from({ length: 7 }, () => 'backup of DAY, 02:00 (UTC)'),
    );
    expect(offered[7]?.name).toMatch(/^30m · /);
    const third = offered[2];
    const [, , day] = third?.name.split(' ') ?? [];
    expect(await namesOf(`${line} until:${day}`)).toEqual([third?.name]);
    const card = await world.alice.types(`${line} until:${third?.value}`);
    expect(card).toMatch(/Disk 0: \d+ \w+ \d+, 02:00 UTC \(.*\)\./);
    expect(card).toMatch(/The newest backup of web-1 before then is from \d+ \w+ \d+ 02:00 UTC\./);
    expect(await world.alice.types(line)).toMatch(/The panel lists 7 backups of web-1: \S+ to \S+\.\n/);
    await world.alice.clicks('Cancel');
    expect(await world.alice.types(`${line} until:30d`)).toMatch(/⚠ Oldest backup of web-1: \S+\.\n/);
    await world.alice.clicks('Cancel');
    expect(await world.alice.types('/backup restore server:legacy-1 disks:0 until:6h reason:x')).toContain(
      '⚠ The panel lists no backup of legacy-1.',
    );
    await world.alice.clicks('Cancel');
  });

  it('that cannot be read stop nothing: the suggestions and the question say so', async () => {
    world.panel.order({ kind: 'status-before', status: 500, match: { path: '/backups/' }, times: 0 });
    expect((await namesOf('/backup restore server:web-2 disks:0 until:6h reason:x'))[0]).toMatch(
      /^6h · .* · backups could not be read$/,
    );
    expect(await world.alice.types('/backup restore server:web-2 disks:0 until:6h reason:x')).toContain(
      'The dates of the backups of web-2 could not be read.',
    );
    await world.alice.clicks('Confirm');
    expect(await world.alice.fills('web-2')).toContain('ACCEPTED /backup restore');
    await world.panel.clear();
  });
});

it('Without backup-list in the policy nobody asks the panel for backups, and the question recommends `until`', async () => {
  const world = await openWorld({ still: true, policy: policyWithout('backup-list') });
  const [offered] = await world.alice.chooses('/backup restore server:web-1 disks:0 until:6h reason:x', 'until');
  expect(offered?.name).toMatch(/^6h · [^·]+$/);
  expect(await world.alice.types('/backup restore server:web-1 disks:0 reason:x')).toContain(
    'To choose: Cancel, and add a time, such as `until:6h`.',
  );
  expect(world.panel.requests).toEqual([]);
});
