import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportLedger } from '../../src/audit/export.ts';
import { policyWords } from '../../src/cli/audit.ts';
import { withoutValue } from '../helpers/card-text.ts';
import { threadsOf } from '../helpers/incidents/scene.ts';
import { confirms, until } from '../helpers/messages.ts';
import { fileOf, listed, parseCsv, steady } from '../helpers/record/scene.ts';
import { worldForAll } from '../helpers/world.ts';

describe('the history of a day', () => {
  let thread = '';
  const world = worldForAll({ still: true });
  beforeAll(async () => {
    const { alice, bob, carol, mallory, panel } = world;
    await bob.types('/power boot server:web-1 reason:"it was off"');
    await confirms(alice, '/firewall flush server:web-1');
    await carol.types('/power boot server:web-2');
    panel.order({ kind: 'reset-after', match: { changes: true } });
    await bob.types('/cpu throttle server:web-2,web-3 percent:50');
    await bob.clicks('Say what happened');
    await bob.fills('It happened: the panel shows 50 %');
    await alice.types('/incident start title:"web-1 is slow"');
    [thread = ''] = threadsOf(world);
    await alice.types('/backup restore server:web-1 disks:0 reason:"=HYPERLINK(1)"', thread);
    await alice.clicks('Confirm');
    await alice.fills('web-1');
    await alice.types('/follow-ups stop server:web-1', thread);
    // Nobody gets a message: that is recorded by and by.
    await until(() => world.entries().some((each) => 'step' in each && each.step === 'announced'), 'it is recorded');
    await mallory.types('/firewall flush server:db-1');
    await alice.types('/power shutdown server:web-3');
  });

  it('has a line for each run, the newest first, with what happened since', async () => {
    expect(steady(await world.alice.types('/audit history'))).toMatchInlineSnapshot(`
      "alice used /audit history
      panelops: History
        │ 8 runs.
        │ ? **QUESTION** /power shutdown web-3 (103) · @alice T ago · [card](https://discord.com/channels/G/C/M)
        │ ⊗ **DENIED** /firewall flush \`server:db-1\` · @mallory T ago · \`RUN.1\`
        │ □ **STOPPED**, says @alice: /backup restore web-1 (101) · @alice T ago · [card](https://discord.com/channels/G/C/M)
        │ **INCIDENT OPENED** by @alice: \`web-1 is slow\` · [thread](https://discord.com/channels/G/C/M) · T ago
        │ ◆ **HAPPENED**, says @bob: /cpu throttle web-2 (102) · @bob T ago · [card](https://discord.com/channels/G/C/M)
        │ ⊖ **NOT-SENT** /cpu throttle web-3 (103) · @bob T ago · [card](https://discord.com/channels/G/C/M)
        │ ⊗ **DENIED** /power boot \`server:web-2\` · @carol T ago · \`RUN.1\`
        │ ✓ **SUCCEEDED** /firewall flush web-1 (101) · @alice T ago · [card](https://discord.com/channels/G/C/M)
        │ Showing 1–8 of 9 lines.
        [Next]
        (only alice sees this)"
    `);
  });

  it.each([
    ['server:web-2', ['HAPPENED /cpu throttle', 'DENIED /power boot']],
    ['command:"power boot" person:@bob', ['ACCEPTED /power boot']],
    ['outcome:stopped', ['STOPPED /backup restore']],
    ['outcome:not-sent since:2h', ['NOT-SENT /cpu throttle']],
    ['since:2030-01-01', []],
  ])('with %s has just those', async (typed, runs) => {
    const card = await world.alice.types(`/audit history ${typed}`);
    expect(listed(card)).toEqual(runs);
    if (runs.length === 0) expect(card).toContain('There are no such runs.');
  });

  it('tells everything about one run, by its id or its stem, as it is copied from a card', async () => {
    const flush = world.ledger().find(({ command }) => command === 'firewall.flush')?.run ?? '';
    const card = await world.alice.types(`/audit run id:${flush}`);
    expect(steady(card)).toShow(
      'Run `RUN.1`',
      '`RUN.1`: /firewall flush · web-1 (101) · @alice with @lead · [card](https://discord.com/channels/G/C/M)',
      '**QUESTION** TIME · no. N `HASH`',
      'Read for the question: `content:59272dc36646 enabled:true rules:4`.',
      '**CONFIRMED** TIME · no. N `HASH`',
      '**SENDING** TIME · no. N `HASH`',
      'Right before it: 4 rules on `primary`, SHA-256 `59272dc36646…`.',
      'Leaves open: firewall left without rules (primary interface).',
      '**SUCCEEDED** TIME · no. N `HASH`',
      '(only alice sees this)',
    );
    const hashes = world
      .ledger()
      .filter(({ run }) => run === flush)
      .map(({ seq, hash }) => `no. ${seq} \`${hash.slice(0, 12)}\``);
    for (const each of hashes) expect(card).toContain(each);
    const stem = flush.replace('.1', '');
    expect(listed(await world.alice.types(`/audit run id:"run ${stem.toUpperCase()}"`))).toEqual(listed(card));
    expect(await world.alice.types(`/audit run id:"\`${flush}\`"`)).toContain('QUESTION');
  });

  it('suggests the newest runs by where, what, when and by whom', async () => {
    const all = await world.alice.chooses('/audit run id:', 'id');
    expect(all).toHaveLength(8);
    expect(all.slice(0, 2).map(({ name }) => name)).toEqual([
      'web-3 /power shutdown, just now, by alice: waiting for Confirm',
      'db-1 /firewall flush, just now, by mallory: denied',
    ]);
    const [found, ...others] = await world.alice.chooses('/audit run id:"WEB-1 /power"', 'id');
    expect([found?.name, others]).toEqual(['web-1 /power boot, just now, by bob: accepted', []]);
    expect(await world.alice.types(`/audit run id:${found?.value}`)).toContain('/power boot · web-1 (101)');
    expect(await world.bob.chooses('/audit run id:', 'id')).toEqual([
      { name: 'You may not run /audit run. Roles that may: lead', value: '-' },
    ]);
  });

  it('knows no run of another id, and says what an id looks like', async () => {
    const card = await world.alice.types('/audit run id:nothing');
    expect(card).toContain('`id:nothing`: there is no such run, or it is on a server that you may not see.');
    expect(card).toContain("A run's id is at the bottom of its card, such as `9kq3v1x7m2a`; with the number of one");
    const half = world.ledger()[0]?.run.slice(0, 5);
    expect(await world.alice.types(`/audit run id:${half}`)).toContain('INVALID /audit run');
  });

  it('is a file of the lines that the ledger has', async () => {
    expect(steady(await world.alice.types('/audit export'))).toShow(
      'Export of the ledger',
      'N entries, from no. N, TIME, to no. N, TIME.',
      'SHA-256 of `panelops-DATE-N-N.jsonl`: `HEX`',
      '📎 panelops-DATE-N-N.jsonl (N bytes)',
      '(only alice sees this)',
    );
    const { name, bytes, url } = fileOf(world, 'alice');
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
    expect(Buffer.from(bytes).toString()).toBe(readFileSync(join(world.dir, 'ledger.jsonl'), 'utf8'));
    const entries = world.entries();
    expect(name).toBe(`panelops-${entries.at(-1)?.time.slice(0, 10)}-1-${entries.length}.jsonl`);
    expect(await world.alice.types('/audit export')).toContain(createHash('sha256').update(bytes).digest('hex'));
  });

  it('is what belongs to an incident', async () => {
    expect(await world.alice.chooses('/audit export incident:SLOW', 'incident')).toEqual([
      { name: `${world.entries()[0]?.time.slice(0, 10)} web-1 is slow`, value: thread },
    ]);
    await world.alice.types(`/audit export incident:${thread} format:csv`);
    const [head = [], ...rows] = parseCsv(fileOf(world, 'alice').text);
    const kinds = rows.map((row) => `${row[head.indexOf('kind')]} ${row[head.indexOf('command')]}`);
    const steps = ['asked', 'confirmed', 'intent', 'outcome', 'follow-up'].map((kind) => `${kind} backup.restore`);
    expect(new Set(kinds)).toEqual(new Set(['incident ', ...steps]));
    expect(rows[0]?.[head.indexOf('title')]).toBe('web-1 is slow');
  });

  it.each([
    ['md', { format: 'md', since: '2h' }, 'format:md since:2h'],
    ['csv', { format: 'csv', server: '102', until: '2030-01-01' }, 'format:csv server:102 until:2030-01-01'],
  ] as const)('is byte for byte what npm run audit writes: %s %j', async (_format, options, typed) => {
    await world.alice.types(`/audit export ${typed}`);
    const written: (string | Uint8Array)[] = [];
    expect(
      await exportLedger(options, world.entries(), (text) => written.push(text), {
        say: () => undefined,
        ...policyWords(readFileSync('policy.example.yaml', 'utf8'), undefined),
      }),
    ).toBe(0);
    expect(written).toHaveLength(1);
    expect(Buffer.from(written[0] ?? '').equals(fileOf(world, 'alice').bytes)).toBe(true);
  });

  it('is no file when nothing matches, and cannot end before it begins', async () => {
    expect(await world.alice.types('/audit export since:2030-01-01')).toContain(
      'Nothing matches, so there is no file.',
    );
    expect(withoutValue(await world.alice.types('/audit export since:1h until:2h'))).toContain(
      '`until`: must be after since.',
    );
    expect(withoutValue(await world.alice.types('/audit export since:"last week"'))).toContain(
      '`since`: this is not a time. Write 2h or 3d (ago)',
    );
    expect(await world.alice.types('/audit export incident:slow')).toContain('pick one of the suggestions');
  });
});
