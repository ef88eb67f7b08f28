import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { childrenOf } from '../../helpers/process.ts';
import { freePort } from '../../helpers/redis-server.ts';
import { type BotProcess, run, stageForAll } from '../../helpers/stage.ts';
import { healthOf, readScrape, valueIn } from '../../helpers/watch/scrape.ts';
import { canFillDisk, limitFiles } from '../../soak/bot.ts';

const stage = stageForAll();
let bot: BotProcess;
let url = '';
beforeAll(async () => {
  bot = await stage.start({ HTTP_PORT: '0' });
  url = await healthOf(bot);
});
afterEach(() => stage.discord.clear());

let others = 0;
/** Another bot, with a folder of its own, until the test ends. */
function another(more: Record<string, string> = {}): BotProcess {
  others += 1;
  const other = run({ ...stage.env, DATA_DIR: `${stage.dir}-${others}`, ...more }, { cwd: stage.cwd });
  onTestFinished(async () => void (await other.end('SIGKILL')));
  return other;
}

async function readyz(at = url): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${at}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

const well = { ok: true };
const serves = {
  status: 200,
  body: { ready: true, role: 'leader', parts: { gateway: well, redis: well, ledger: well, canary: well } },
};

/** Waits until this part alone is not well, and for these words. */
const untilBroken = (part: string, problem: string): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await readyz()).toEqual({
        status: 503,
        body: { ready: false, role: 'leader', parts: { ...serves.body.parts, [part]: { ok: false, problem } } },
      }),
    { timeout: 20_000, interval: 100 },
  );
const untilWell = (at = url): Promise<void> =>
  vi.waitFor(async () => expect(await readyz(at)).toEqual(serves), { timeout: 30_000, interval: 100 });

describe('a bot is ready', () => {
  it('while everything that it needs works, and never asks the panel for that', async () => {
    await untilWell();
    // At its start it does, once. Nobody has typed anything yet.
    await vi.waitFor(() => expect(stage.panel.requests).toHaveLength(1));
    for (let i = 0; i < 20; i++) await readyz();
    expect(stage.panel.requests).toHaveLength(1);
  });

  /** What each part is broken by, and mended. */
  const parts: Record<string, [problem: string, breaks: () => unknown, mends: () => unknown]> = {
    gateway: [
      'The connection to Discord is gone.',
      () => stage.discord.order({ kind: 'outage' }),
      () => stage.discord.clear(),
    ],
    redis: [
      'Redis cannot be reached.',
      () => process.kill(childrenOf(bot.pid)[0] ?? 0, 'SIGSTOP'),
      () => process.kill(childrenOf(bot.pid)[0] ?? 0, 'SIGKILL'),
    ],
    ledger: ['The ledger cannot be written.', () => limitFiles(bot.pid, 0), () => limitFiles(bot.pid, 'unlimited')],
  };
  for (const [part, [problem, breaks, mends]] of Object.entries(parts))
    it.skipIf(part === 'ledger' && !canFillDisk)(
      `not without its ${part}, and again with it; live it is all the time`,
      async () => {
        await untilWell();
        breaks();
        await untilBroken(part, problem);
        expect((await fetch(`${url}/livez`)).status).toBe(200);
        mends();
        await untilWell();
      },
    );

  it('while the audit channel is closed to it, too, and says so', async () => {
    const audited = await healthOf(another({ HTTP_PORT: '0', AUDIT_CHANNEL_ID: stage.discord.channels.audit }));
    await untilWell(audited);
    stage.discord.order({ kind: 'forbid-channel', channel: 'audit' });
    const warnings = [
      `The audit channel is behind. Missing in <#${stage.discord.channels.audit}>: Send Messages. Changes continue.`,
    ];
    await vi.waitFor(
      async () => expect(await readyz(audited)).toEqual({ status: 200, body: { ...serves.body, warnings } }),
      { timeout: 20_000, interval: 100 },
    );
    stage.discord.clear();
    await untilWell(audited);
  });
});

describe('health and metrics', () => {
  it('are there while the bot starts: live, and not ready', async () => {
    stage.discord.order({ kind: 'delay', ms: 600_000, match: { path: '/gateway/bot' } });
    const port = await freePort();
    another({ HTTP_PORT: String(port) });
    const at = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => expect((await fetch(`${at}/livez`)).status).toBe(200), { timeout: 20_000 });
    const readyz = async () => {
      const answer = await fetch(`${at}/readyz`);
      return [answer.status, await answer.json()];
    };
    const problem = 'The bot is starting: it connects to Discord.';
    await expect
      .poll(readyz, { timeout: 20_000 })
      .toEqual([503, { ready: false, parts: { bot: { ok: false, problem } } }]);
    const samples = readScrape(await (await fetch(`${at}/metrics`)).text());
    expect(valueIn(samples, 'panelops_ready')).toBe(0);
    expect(samples.map(({ name }) => name)).not.toContain('panelops_questions_open');
  });

  it('are on loopback, and say what there is to whoever asks for something else', async () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${url}/`);
    expect([answer.status, await answer.json()]).toEqual([404, { paths: ['/livez', '/readyz', '/metrics'] }]);
    expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(404);
  });
});
