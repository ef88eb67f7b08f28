import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import {
  audit,
  beforeOneWriter,
  firstRelease,
  linesIn,
  type OldLedger,
  openAt,
  openEffect,
  verified,
} from '../../helpers/ledger/old-ledgers.ts';
import { asks, textOf, typed, until } from '../../helpers/messages.ts';
import { openStage, type Stage } from '../../helpers/stage.ts';
import { run } from '../../helpers/trail/program.ts';

/** Posts what the channel held then, each message at its own moment: its id is made of that. */
async function seed({ discord }: Stage, { channel }: OldLedger, setClock: (ms: number) => void): Promise<void> {
  const messages = `${discord.apiUrl}/v10/channels/${audit}/messages`;
  const authorization = { authorization: `Bot ${discord.token}` };
  const headers = { ...authorization, 'content-type': 'application/json' };
  for (const { id, content, edited, own, file } of channel) {
    setClock(Number(BigInt(id) >> 22n) + Date.UTC(2015, 0, 1));
    const body = JSON.stringify({ content });
    // What people write is not shown to the bot.
    if (!own) await discord.type('bob', 'audit', 'nice trail');
    else if (file === undefined) await fetch(messages, { method: 'POST', headers, body });
    else await fetch(messages, { method: 'POST', headers: authorization, body: withFile(body, file) });
    if (edited) await fetch(`${messages}/${id}`, { method: 'PATCH', headers, body });
  }
  const ids = discord.messages('alice', 'audit').map((each) => each.id);
  expect(ids).toEqual(channel.map(({ id }) => id));
}

function withFile(body: string, { name, text }: { name: string; text: string }): FormData {
  const form = new FormData();
  form.set('payload_json', body);
  form.set('files[0]', new Blob([text]), name);
  return form;
}

const clock = fileURLToPath(new URL('../../helpers/ledger/clock.mjs', import.meta.url));

/** Discord and panel at that moment, with the folder and the channel as they were left. */
async function opened(old: OldLedger) {
  const ahead = Date.parse(old.later) - Date.now();
  const passing = (): number => Date.now() + ahead;
  let now = passing;
  const stage = await openStage({
    discord: { now: () => now(), limits: { posts: false, global: false } },
    panel: { now: () => new Date(passing()) },
  });
  onTestFinished(() => stage.stop());
  await seed(stage, old, (ms) => {
    now = () => ms;
  });
  now = passing;
  old.copyTo(stage.dir);
  const preload = `--import=${pathToFileURL(clock)}?ahead=${ahead}`;
  const env = { AUDIT_CHANNEL_ID: audit, POLICY_FILE: old.lastPolicy, NODE_OPTIONS: preload };
  return { stage, env, of: (run: string) => stage.ledger().filter((entry) => entry.run === run) };
}

/** Ledger and trail are one, from the first entry of then to the last of now; gives the findings that the check names. */
async function isWhole(old: OldLedger, { stage, env }: Awaited<ReturnType<typeof opened>>): Promise<string[]> {
  expect(linesIn(stage.dir).slice(0, old.last.seq)).toEqual(linesIn(old.copy()));
  expect(verified(stage.dir)).toMatchObject({ ok: true });
  const { code, out } = await run(['verify'], { ...stage.env, ...env }, stage.cwd);
  expect(code).toBe(0);
  expect(out[0]).toMatch(/^ok: \d+ entries, head [0-9a-f]{64}$/);
  expect(out.at(-1)).toMatch(/^channel: \d+ messages were compared$/);
  return out.filter((line) => line.startsWith('finding '));
}

it('a bot on the folder of the first release goes on where it was killed, and its trail too', async () => {
  const at = await opened(firstRelease);
  const { stage, env, of } = at;
  // The panel still has the restore, and is done with it a moment later.
  const started = new Date('2026-11-01T03:30:00.000Z');
  const ends = new Date(Date.parse(firstRelease.later) + 5_000);
  stage.panel.state.jobs.push({
    ...{ jobId: 9006, serverId: 161, hypervisorId: 12, disks: ['0'], fate: 'finishes' },
    ...{ started, ends },
  });
  const bot = await stage.start(env);

  // What was under way when it was killed.
  await until(() => of('bweclzqt7ym8.1').length === 2, 'an end of the throttle');
  expect(of('bweclzqt7ym8.1').at(-1)).toMatchObject({ kind: 'outcome', outcome: 'unknown', reason: 'bot-stopped' });
  await until(() => of('bweclp8f3oxs.2').length === 2, 'an end of the question');
  for (const run of ['bweclp8f3oxs.1', 'bweclp8f3oxs.2'])
    expect(of(run).at(-1)).toMatchObject({ kind: 'outcome', outcome: 'expired' });
  await until(() => of('bweclovsm60w.1').some(({ step }) => step === 'ended'), 'an end of the restore', 30_000);
  expect(of('bweclovsm60w.1').find(({ step }) => step === 'ended')).toMatchObject({ end: 'finished' });

  // Its trail was contradicted, and nobody has said yet that this was looked into.
  await typed(stage, '/firewall enable server:web-1', ['UNAVAILABLE']);
  await typed(stage, '/audit acknowledge finding:all reason:"tried out"', ['SUCCEEDED']);

  // What people do next: the firewall that was off is on again.
  await typed(stage, '/firewall enable server:web-1', ['SUCCEEDED']);
  const flush = await asks(stage, '/firewall flush server:web-2');
  expect(textOf(flush)).toContain('ended unknown');

  const card = textOf(await typed(stage, '/audit verify', ['SUCCEEDED']));
  expect(card).toContain("The ledger's own chain is whole");
  expect(card.split('\n').filter((line) => line.startsWith('**ACKNOWLEDGED**'))).toHaveLength(8);
  expect(card).toContain('Showing 1–8 of 9 findings.');
  expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });

  const findings = await isWhole(firstRelease, at);
  expect(findings).toHaveLength(9);
  expect(
    findings.filter((line) => !/: acknowledged by alice \(14\d+\), \S+Z, entry \d+: tried out$/.test(line)),
  ).toEqual([]);
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

it('a bot on a folder of before one writer goes on where it was killed, and its trail too', async () => {
  const at = await opened(beforeOneWriter);
  const { stage, env, of } = at;
  const bot = await stage.start(env);
  await until(() => of('bzf0r13eiwow.1').some(({ kind }) => kind === 'outcome'), 'an end of the throttle');
  expect(of('bzf0r13eiwow.1').find(({ kind }) => kind === 'outcome')).toMatchObject({ outcome: 'unknown' });
  for (const run of ['bzf0qkz5m134.1', 'bzf0qz0a2ubk.1'])
    await until(() => of(run).at(-1)?.outcome === 'expired', 'an end of the questions');

  await typed(stage, '/firewall enable server:web-1', ['SUCCEEDED']);
  await typed(stage, '/power boot server:build-1', ['BLOCKED']);
  const card = textOf(await typed(stage, '/audit verify', ['SUCCEEDED']));
  expect(card).toContain('The ledger is whole: ');
  expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });

  expect(await isWhole(beforeOneWriter, at)).toHaveLength(12);
  expect(stage.panel.effects.map(({ path }) => path)).toEqual(['/servers/101/firewall/primary/enable?sync=true']);
});
