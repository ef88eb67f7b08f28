import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  audit,
  bobs,
  channel,
  checked,
  copy,
  copyTo,
  entriesIn,
  lastPolicy,
  linesIn,
  oddities,
  openAt,
  openEffect,
  verified,
} from '../../helpers/ledger/first-release.ts';
import { answerTo, asks, textOf, until } from '../../helpers/messages.ts';
import { openStage, type Stage } from '../../helpers/stage.ts';

const last = { seq: 162, hash: '0d337504587733cec268df8f1d9a7937549c65a45a33a82e349185f465daf4aa' };
/** The bot was killed at 03:30:06. By now its open question has lapsed; its restore and its reminder have time. */
const later = '2026-11-01T03:45:00.000Z';

/** What stands in the channel that is not as it was posted: the ledger tells of all of it. */
const reported = [
  'changed #116–#116',
  'ahead #9001–#9004',
  'strange #131–#134',
  'missing #24–#29',
  'missing #117–#117',
  'missing #120–#125',
];
const told = ['128 deleted by alice', '129 edited', '130 deleted', '133 ahead', '136 strange', '137 missing'];

const named = ({ finding, from, to }: { finding: string; from?: number; to?: number }): string =>
  `${finding} #${from}–#${to}`;

async function strangeIn(dir: string, messages = channel): Promise<string[] | undefined> {
  return (await checked(dir, messages)).channel?.strange.map(named);
}

describe('A ledger of the first release', () => {
  it('verifies over the turn of the month, line for line', () => {
    const dir = copy();
    expect(linesIn(dir)).toHaveLength(162);
    expect(verified(dir)).toEqual({ ok: true, count: 162, head: last.hash });
  });

  it('is opened with all that it holds, and is not touched by that', async () => {
    const before = linesIn(copy());
    const { dir, log, entries, head, close } = await openAt(later);
    expect(head()).toEqual(last);
    expect(entries()).toHaveLength(162);
    expect(log.messages).toEqual([]);
    await close();
    expect(linesIn(dir)).toEqual(before);
  });

  it('has every kind of entry, every step and every outcome that the first release recorded', () => {
    const count = new Map<string, number>();
    for (const entry of entriesIn(copy())) {
      const detail =
        ('step' in entry && entry.step) ||
        (entry.kind === 'tampered' && entry.finding) ||
        ('outcome' in entry && entry.outcome);
      const words = [entry.kind, detail, 'end' in entry && entry.end].filter(Boolean).join(' ');
      count.set(words, (count.get(words) ?? 0) + 1);
    }
    expect(Object.fromEntries(count)).toEqual({
      ...{ started: 5, stopped: 4, configured: 3 },
      ...{ asked: 23, intent: 34, resolved: 2, reminded: 2, 'denied denied': 9 },
      ...{ 'outcome succeeded': 17, 'outcome accepted': 11, 'outcome rejected': 1, 'outcome not-sent': 2 },
      ...{ 'outcome unknown': 3, 'outcome cancelled': 1, 'outcome expired': 1, 'outcome blocked': 1 },
      'outcome unavailable': 1,
      ...{ 'follow-up started': 9, 'follow-up moved': 2, 'follow-up handed-over': 1, 'follow-up reminded': 1 },
      ...{ 'follow-up ended finished': 5, 'follow-up ended failed': 1, 'follow-up ended unknown': 1 },
      ...{ 'follow-up ended stopped': 1, 'follow-up announced': 8 },
      ...{ 'tampered deleted': 3, 'tampered edited': 1, 'tampered missing': 1, 'tampered changed': 1 },
      ...{ 'tampered reordered': 1, 'tampered strange': 1, 'tampered ahead': 1 },
      ...{ 'incident opened': 2, 'incident noted': 1, 'incident ended': 1 },
    });
  });

  it('knows what nobody has brought to its end', async () => {
    const { open, following, unknown, unfollowed, reminders, effects, incidents } = await openAt(later);
    expect(open().map(({ run, asked, intent }) => [run, (intent ?? asked)?.kind, (intent ?? asked)?.command])).toEqual([
      ['bweclp8f3oxs.1', 'asked', 'power.restart'],
      ['bweclp8f3oxs.2', 'asked', 'power.restart'],
      ['bweclzqt7ym8.1', 'intent', 'cpu.throttle'],
    ]);
    expect(following().map(({ run, followUp }) => [run, followUp?.started.job, followUp?.notify.name])).toEqual([
      ['bweclovsm60w.1', 9006, 'alice'],
    ]);
    expect(unknown().map(({ run, outcome }) => [run, outcome?.command, outcome?.server?.name])).toEqual([
      ['bweclp35beo0.1', 'firewall.flush', 'web-2'],
    ]);
    expect(unfollowed().map(({ run, outcome }) => [run, outcome?.command, outcome?.server?.name])).toEqual([
      ['bwdjdrag6gao.1', 'backup.restore', 'lab-1'],
      ['bweb5eu0rlz4.1', 'backup.restore', 'cache-1'],
    ]);
    expect(reminders().map(({ run, remind }) => [run, remind])).toEqual([
      ['bweclbqfuv40.1', '2026-11-08T03:29:53.639Z'],
    ]);
    expect(effects().map(openEffect).map(Object.values)).toEqual([
      ['throttle', 'web-2', 25],
      ['unapplied throttle', 'db-2', 37],
      ['whitelist primary 203.0.113.0/28', 'web-2', 57],
      ['firewall-off primary', 'web-1', 146],
      ['down', 'web-3', 149],
    ]);
    expect(incidents().map(({ title, notes, ended }) => [title, notes.length, ended?.seq])).toEqual([
      ['web-1 does not answer', 1, 106],
      ['db-2 is slow', 0, undefined],
    ]);
  });

  it('remembers how each run can be taken back, and what took it back', async () => {
    const { runs } = await openAt(later);
    expect(runs('bweclbqfuv40').map(({ undo }) => undo)).toEqual([
      { command: 'firewall.enable', options: { interface: 'primary', server: '101', sync: true } },
    ]);
  });

  it('takes new entries after the old, which stay as they are, byte for byte', async () => {
    const before = linesIn(copy());
    const { dir, append, close } = await openAt(later);
    const [intent] = await append([bobs('bwec00000001.1', { kind: 'intent', opens: ['throttle'] })]);
    expect(intent).toMatchObject({ seq: 163, prev: last.hash, time: later });
    await append([bobs('bwec00000001.1', { kind: 'outcome', outcome: 'succeeded' })]);
    await close();
    expect(linesIn(dir).slice(0, 162)).toEqual(before);
    expect(verified(dir)).toMatchObject({ ok: true, count: 164 });
    const again = await openAt(later, dir);
    expect(again.effects().map(openEffect).at(-1)).toEqual({ effect: 'throttle', server: 'web-3', since: 164 });
  });
});

describe('The trail of the first release', () => {
  it('stands in its channel as it was posted, but for what the ledger tells of already', async () => {
    expect(channel).toHaveLength(46);
    expect(oddities(copy()).map(named)).toEqual(reported);
    const { head, channel: found, findings } = await checked(copy());
    expect(head).toEqual(last);
    // What somebody else wrote there contradicts for good: the first release reported both.
    const contradiction = { messages: 2, state: 'open' };
    expect(found).toMatchObject({ messages: 46, strange: [], waiting: 0, contradiction });
    const spans = found?.contradiction?.spans.map(({ first, last: { to } }) => [first.finding, first.from, to]);
    expect(spans).toEqual([
      ['ahead', 9001, 9004],
      ['strange', 131, 134],
    ]);
    const words = findings.map(({ found: { seq, finding, actor, unsaid } }) =>
      [seq, finding, ...(finding === 'deleted' && unsaid !== true ? [`by ${actor.name}`] : [])].join(' '),
    );
    expect(told.filter((each) => !words.includes(each))).toEqual([]);
    expect(findings.filter(({ acknowledged }) => acknowledged !== undefined)).toEqual([]);
  });

  it('of which somebody deletes one more message: that is found', async () => {
    const messages = channel.filter(({ content }) => !content.includes('#73–#81 · '));
    expect(await strangeIn(copy(), messages)).toEqual(['missing #73–#81']);
  });

  it('in which somebody writes another word: that is found', async () => {
    const messages = channel.map((each) => ({ ...each, content: each.content.replace('DENIED ×7', 'DENIED ×2') }));
    expect(await strangeIn(copy(), messages)).toEqual(['changed #73–#81']);
  });
});

/** Posts what the channel held then, each message at its own moment: its id is made of that. */
async function seed({ discord }: Stage, setClock: (ms: number) => void): Promise<void> {
  const messages = `${discord.apiUrl}/v10/channels/${audit}/messages`;
  const headers = { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' };
  for (const { id, content, edited, own } of channel) {
    setClock(Number(BigInt(id) >> 22n) + Date.UTC(2015, 0, 1));
    const body = JSON.stringify({ content });
    // What people write is not shown to the bot.
    if (!own) await discord.type('bob', 'audit', 'nice trail');
    else await fetch(messages, { method: 'POST', headers, body });
    if (edited) await fetch(`${messages}/${id}`, { method: 'PATCH', headers, body });
  }
  const ids = discord.messages('alice', 'audit').map((each) => each.id);
  expect(ids).toEqual(channel.map(({ id }) => id));
}

describe('A bot on the folder of the first release', () => {
  const ahead = Date.parse(later) - Date.now();
  const clock = fileURLToPath(new URL('../../helpers/ledger/clock.mjs', import.meta.url));

  /** Discord and panel at that moment, with the folder and the channel as they were left. */
  async function opened() {
    const passing = (): number => Date.now() + ahead;
    let now = passing;
    const stage = await openStage({
      discord: { now: () => now(), limits: { posts: false, global: false } },
      panel: { now: () => new Date(passing()) },
    });
    onTestFinished(() => stage.stop());
    await seed(stage, (ms) => {
      now = () => ms;
    });
    now = passing;
    copyTo(stage.dir);
    const preload = `--import=${pathToFileURL(clock)}?ahead=${ahead}`;
    return { stage, env: { AUDIT_CHANNEL_ID: audit, POLICY_FILE: lastPolicy, NODE_OPTIONS: preload } };
  }

  it('goes on where it was killed, and its trail too', async () => {
    const { stage, env } = await opened();
    // The panel still has the restore, and is done with it a moment later.
    const started = new Date('2026-11-01T03:30:00.000Z');
    const ends = new Date(Date.parse(later) + 5_000);
    stage.panel.state.jobs.push({
      ...{ jobId: 9006, serverId: 161, hypervisorId: 12, disks: ['0'], fate: 'finishes' },
      ...{ started, ends },
    });
    const bot = await stage.start(env);
    const of = (run: string) => stage.ledger().filter((entry) => entry.run === run);

    // What was under way when it was killed.
    await until(() => of('bweclzqt7ym8.1').length === 2, 'an end of the throttle');
    expect(of('bweclzqt7ym8.1').at(-1)).toMatchObject({ kind: 'outcome', outcome: 'unknown', reason: 'bot-stopped' });
    await until(() => of('bweclp8f3oxs.2').length === 2, 'an end of the question');
    for (const run of ['bweclp8f3oxs.1', 'bweclp8f3oxs.2'])
      expect(of(run).at(-1)).toMatchObject({ kind: 'outcome', outcome: 'expired' });
    await until(() => of('bweclovsm60w.1').some(({ step }) => step === 'ended'), 'an end of the restore', 30_000);
    expect(of('bweclovsm60w.1').find(({ step }) => step === 'ended')).toMatchObject({ end: 'finished' });

    // Its trail was contradicted, and nobody has said yet that this was looked into.
    const early = await stage.discord.type('alice', 'ops', '/firewall enable server:web-1');
    await answerTo(stage, early, ['UNAVAILABLE']);
    const settling = await stage.discord.type('alice', 'ops', '/audit acknowledge finding:all reason:"tried out"');
    await answerTo(stage, settling, ['SUCCEEDED']);

    // What people do next: the firewall that was off is on again.
    const enabling = await stage.discord.type('alice', 'ops', '/firewall enable server:web-1');
    await answerTo(stage, enabling, ['SUCCEEDED']);
    const flush = await asks(stage, '/firewall flush server:web-2');
    expect(textOf(flush)).toContain('ended unknown');

    const checking = await stage.discord.type('alice', 'ops', '/audit verify');
    const card = textOf(await answerTo(stage, checking, ['SUCCEEDED']));
    expect(card).toContain("The ledger's own chain is whole");
    expect(card.split('\n').filter((line) => line.startsWith('**ACKNOWLEDGED**'))).toHaveLength(8);
    expect(card).toContain('Showing 1–8 of 9 findings.');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });

    // Ledger and trail are one, from the first entry of then to the last of now.
    expect(linesIn(stage.dir).slice(0, 162)).toEqual(linesIn(copy()));
    expect(verified(stage.dir)).toMatchObject({ ok: true });
    const { code, out } = await audited({ ...stage.env, ...env }, stage.cwd);
    expect(code).toBe(0);
    expect(out[0]).toMatch(/^ok: \d+ entries, head [0-9a-f]{64}$/);
    const findings = out.filter((line) => line.startsWith('finding '));
    expect(findings).toHaveLength(9);
    expect(
      findings.filter((line) => !/: acknowledged by alice \(14\d+\), \S+Z, entry \d+: tried out$/.test(line)),
    ).toEqual([]);
    expect(out.at(-1)).toMatch(/^channel: \d+ messages were compared$/);
    const { effects } = await openAt('2026-11-01T03:50:00.000Z', stage.dir);
    expect(
      effects()
        .map(openEffect)
        .map(({ effect, server }) => `${effect} of ${server}`),
    ).toEqual([
      'throttle of web-2',
      'unapplied throttle of db-2',
      'whitelist primary 203.0.113.0/28 of web-2',
      'down of web-3',
    ]);
    // The one request that changed anything is alice's: what may have been done by then is not done again.
    expect(stage.panel.effects.map(({ path }) => path)).toEqual(['/servers/101/firewall/primary/enable?sync=true']);
    // There the first release kept tokens of interactions.
    expect(existsSync(join(stage.dir, 'open'))).toBe(false);
  });
});

/** `npm run audit -- verify` */
async function audited(env: Record<string, string>, cwd: string) {
  const program = fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url));
  const child = spawn(process.execPath, [program, 'audit', 'verify'], { cwd, env });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, out: out.trimEnd().split('\n') };
}
