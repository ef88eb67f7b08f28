import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainIn } from '../../helpers/ledger/reading.ts';
import { answerTo, until } from '../../helpers/messages.ts';
import { childrenOf } from '../../helpers/process.ts';
import { type BotProcess, openStage, run, type Stage } from '../../helpers/stage.ts';
import { filesIn } from '../../helpers/surroundings.ts';

let stage: Stage;
beforeAll(async () => {
  // What is queued stays so: it is looked at, and never seen to end.
  stage = await openStage({ panel: { powerMs: 3_600_000 } });
});
afterAll(() => stage.stop());

const sockets = ['tcp', 'tcp6'].map((name) => `/proc/net/${name}`);

/** The addresses, in the kernel's hexadecimal, on which a process listens: proc(5). 0100007F is 127.0.0.1. */
function listensOn(pid: number): string[] {
  const own = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return sockets
    .filter(existsSync)
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && own.includes(`socket:[${inode}]`))
    .map(([, address = '']) => address.split(':', 1).join());
}

describe('the program, serving a guild and a panel', () => {
  let bot: BotProcess;
  beforeAll(async () => {
    bot = await stage.start();
  });

  it('says on standard output that it is ready and where everything is, and nothing else', async () => {
    const { discord, panel, redis } = await bot.ready();
    expect([discord, panel]).toEqual([stage.discord.apiUrl, { url: stage.panel.url, state: 'ok' }]);
    // It starts after the bot serves.
    expect(redis).toBe('embedded');
    expect(bot.stdout().trim().split('\n')).toHaveLength(1);
  });

  it.skipIf(process.platform !== 'linux')('listens on 127.0.0.1 alone', async () => {
    const redis = await until(() => childrenOf(bot.pid).find((child) => listensOn(child).length > 0), 'Redis');
    expect(listensOn(bot.pid)).toEqual([]);
    // It listens twice: to find a free port, then on that.
    await expect.poll(() => listensOn(redis)).toEqual(['0100007F']);
  });

  it('writes into its own folder alone, for its owner alone', async () => {
    await answerTo(stage, await stage.discord.type('alice', 'ops', '/power boot server:web-1'), ['ACCEPTED']);
    expect(readdirSync(stage.cwd)).toEqual(['data']);
    const files = filesIn(stage.cwd);
    expect(files).toContain(join(stage.dir, 'ledger.jsonl'));
    // It holds tokens of interactions.
    expect(files).toContain(join(stage.dir, 'cards.jsonl'));
    expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
  });

  it('keeps its folder to itself: a second process says who has it, and exits with 78', async () => {
    const second = run(stage.env, { cwd: stage.cwd });
    expect(await second.exit).toEqual({ code: 78, signal: null });
    expect(second.stderr()).toContain(`process ${bot.pid} is already using the folder`);
    expect(second.stdout()).toBe('');
    await answerTo(stage, await stage.discord.type('alice', 'ops', '/power boot server:web-1'), ['ACCEPTED']);
  });

  it('exits with 0 after SIGTERM and after SIGINT, and its Redis with it', async () => {
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const next = await stage.start();
    expect(await next.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(chainIn(stage.dir)).toBe(true);
    expect(bot.stderr() + next.stderr()).not.toContain('"level":50');
  });
});
