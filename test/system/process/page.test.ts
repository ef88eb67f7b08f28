import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { words } from '../../helpers/card-text.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { openWindow, post, send } from '../../helpers/sandbox/page/visit.ts';
import { type BotProcess, openStage, run } from '../../helpers/stage.ts';
import { listening } from '../../helpers/tcp.ts';

/** The compiled program in the sandbox, in a folder of its own; killed with the test. */
function start(env: Record<string, string>, args = ['--quiet']): BotProcess {
  const bot = run(env, { cwd: folder(), args });
  onTestFinished(async () => void (await bot.end('SIGKILL')));
  return bot;
}

/** Whether anybody listens on that port. */
async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const taken = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return taken;
}

const pageOf = async (bot: BotProcess): Promise<string> => (await bot.ready()).page ?? '';

it('has the page in its ready line, where people try the bot, and says to whom it shows itself in one line more', async () => {
  const bot = start({ HTTP_PORT: '0' }, []);
  const page = await pageOf(bot);
  expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  // It comes after the ready line, in a write of its own.
  await expect.poll(() => bot.stdout().split('\n')).toContain(`open ${page}`);
  const { status, headers, text } = await send(`${page}/`);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const [, path] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect((await send(`${page}${path}`)).status).toBe(200);
  }

  const carol = await openWindow(page, 'carol', '&behind=1');
  await carol.until(({ online, commands }) => online && commands.some(({ name }) => name === 'hypervisors'));
  await post(page, '/act/type', { as: 'carol', channel: 'ops', line: '/hypervisors groups' });
  await carol.until(({ messages }) =>
    Object.values(messages)
      .flat()
      .some(({ message, used }) => used?.who === 'carol' && words(message.content).startsWith('Hypervisor groups')),
  );
  await post(page, '/act/type', { as: 'mallory', channel: 'ops', line: '/power boot server:web-1' });
  const { requests, entries } = await carol.untilBehind((behind) => behind.entries.length === 2 && behind);
  expect(requests.map(({ path, status }) => [path.split('?', 1).join(), status])).toEqual([
    ['/compute/hypervisors/groups', 200],
  ]);
  expect(entries).toMatchObject([
    {
      seq: 1,
      kind: 'started',
      who: 'panelops',
      words: expect.stringMatching(/^version \d+\.\d+\.\d+, process [0-9a-f]{16}$/),
    },
    { seq: 2, kind: 'denied', who: 'mallory', words: expect.stringContaining('/power boot') },
  ]);
  // It ends while somebody looks at it.
  expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(bot.stderr()).toBe('');
  carol.close();
});

it('takes the usual port, and another where that is taken', async () => {
  const usual = 'http://127.0.0.1:8137';
  let page = '';
  // Anybody on this machine, another test too, may have the usual port, and let go of it at any time.
  const hasItOrCannot = async (): Promise<boolean> => {
    page = await pageOf(start({}));
    return page === usual || isTaken(8137);
  };
  await expect.poll(hasItOrCannot, { timeout: 60_000, interval: 1_000 }).toBe(true);
  if (page === usual) page = await pageOf(start({}));
  expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(page).not.toBe(usual);
  expect((await send(`${page}/`)).status).toBe(200);
});

it('does not start where the port that was set is taken: 78, and what to do', async () => {
  const port = await listening(createServer());
  const bot = start({ HTTP_PORT: String(port) });
  expect(await bot.exit).toEqual({ code: 78, signal: null });
  expect([bot.stdout(), bot.stderr()]).toEqual([
    '',
    `HTTP_PORT: port ${port} is taken, by another panelops or another program. Stop that one, set another port, or 0 for any that is free.\n`,
  ]);
});

it('is not there with a real Discord, whose HTTP_PORT is that of health and metrics', async () => {
  const stage = await openStage();
  onTestFinished(() => stage.stop());
  const bot = await stage.start({ HTTP_PORT: '0' });
  expect(await bot.ready()).not.toHaveProperty('page');
});
