import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readRoot } from '../../helpers/house.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { until } from '../../helpers/messages.ts';
import { atTerminal, hasScript, type Person } from '../../helpers/setup/terminal.ts';
import { type BotProcess, environmentFor, program, run } from '../../helpers/stage.ts';
import { type Surroundings, surroundings } from '../../helpers/surroundings.ts';

const [own, alice, bob, carol, stranger] = [61_000, 61_001, 61_002, 61_003, 61_004];
const policy = `${readRoot('policy.example.yaml')}
shell:
  people:
    - { account: ${alice}, discord: "1400000000000000001", roles: [lead] }
    - { account: ${bob}, discord: "1400000000000000002", roles: [on-call] }
    - { account: ${carol}, discord: "1400000000000000003", roles: [viewer] }
`;

/** A bot on this machine with an account of its own, and other accounts: only root can be several. */
function machine({ discord, panel }: Surroundings) {
  const place = folder();
  chmodSync(place, 0o755);
  for (const each of ['data', 'run']) {
    mkdirSync(join(place, each), { mode: 0o755 });
    chownSync(join(place, each), own, own);
  }
  const socket = join(place, 'run', 'shell.sock');
  writeFileSync(join(place, 'policy.yaml'), policy);
  const env = {
    ...environmentFor({ discord, panel }, join(place, 'data')),
    ...{ AUDIT_CHANNEL_ID: discord.channels.audit, POLICY_FILE: join(place, 'policy.yaml'), SHELL_SOCKET: socket },
  };
  /** What the program does beside the bot, as its user. */
  async function beside(...args: string[]): Promise<{ code: number | null; out: string }> {
    const child = run(env, { cwd: place, args, uid: own });
    const { code } = await child.exit;
    return { code, out: child.stdout() + child.stderr() };
  }
  return {
    socket,
    start(): BotProcess {
      const bot = run(env, { cwd: place, uid: own });
      onTestFinished(async () => void (await bot.end('SIGKILL')));
      return bot;
    },
    beside,
    async recorded() {
      const { out } = await beside('audit', 'export');
      return out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    },
    types: (uid: number, args: string): Person => atTerminal(args, { SHELL_SOCKET: socket }, '/', uid),
    /** Without a terminal. */
    async pipes(uid: number, ...args: string[]): Promise<{ code: number; out: string }> {
      const child = spawn(process.execPath, [program, ...args], { uid, cwd: '/', env: { SHELL_SOCKET: socket } });
      let out = '';
      const hears = (chunk: unknown): void => {
        out += String(chunk);
      };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', hears);
      const [code] = await once(child, 'close');
      return { code: Number(code), out };
    },
  };
}

/** Waits until a button that begins so can be typed, and types it in full. */
async function confirms(person: Person, label: string): Promise<void> {
  const said = await person.sees(new RegExp(`Type [^:]*"${label}[^"]*"[^:]*: `));
  await person.answers('', new RegExp(`"(${label}[^"]*)"`).exec(said)?.[1] ?? '');
}

describe.skipIf(process.getuid?.() !== 0 || !hasScript())('people at the bot’s machine (needs root)', () => {
  it('act by their accounts before the bot is ready, which then stops in order, and find nobody after that', {
    timeout: 120_000,
  }, async () => {
    const around = await surroundings();
    const bot = machine(around);
    around.discord.order({ kind: 'status', status: 503 });
    around.discord.order({ kind: 'outage' });
    const starting = bot.start();
    await until(() => existsSync(bot.socket), 'the socket', 60_000);
    expect((await bot.pipes(carol, 'status')).code).toBe(0);
    expect((await bot.pipes(bob, 'do', 'server show server:192.0.2.111')).code).toBe(0);
    expect(await bot.types(alice, `do 'freeze tier:staging' --reason migration`).exit).toBe(0);
    expect(await bot.types(bob, `do 'power restart server:web-3'`).exit).toBe(2);
    // Whom the policy does not know, and whoever is the bot itself.
    expect((await bot.pipes(stranger, 'do', 'pwoer boot server:web-2')).code).toBe(2);
    for (const nobody of [0, own]) expect((await bot.pipes(nobody, 'status')).code).toBe(77);
    const open = bot.types(alice, `do 'firewall flush server:web-2 interface:primary'`);
    await open.sees('Type "Flush web-2"');
    // Said once, and not of the stop.
    await until(() => starting.stderr().includes('the audit channel is behind'), 'the lag', 60_000);
    around.panel.order({ kind: 'delay', ms: 2_000, match: { changes: true } });
    const change = bot.types(alice, `do 'firewall flush server:web-1 interface:primary'`);
    await confirms(change, 'Flush web-1');
    await until(() => around.panel.requests.some(({ method }) => method !== 'GET'), 'the request');
    const { code } = await starting.end('SIGTERM');
    const last = starting.stderr().split('"msg":"stopping"}\n')[1];
    expect([code, last?.match(/"level":[56]0.*|^(?!\{).+/gm)]).toEqual([0, null]);
    // What had left has its outcome. What was not confirmed waits, as at any stop.
    expect([await change.exit, await open.exit], change.shown()).toEqual([0, 69]);
    const lines = await bot.recorded();
    expect(lines.find(({ kind }) => kind === 'denied')).toMatchObject({
      actor: { id: `account ${stranger}` },
      options: { typed: 'pwoer boot server:web-2' },
    });
    expect(lines.find(({ kind }) => kind === 'frozen')).toMatchObject({
      actor: { id: '1400000000000000001' },
      why: 'migration',
      place: { channel: 'shell' },
    });
    expect(lines.find(({ outcome }) => outcome === 'blocked')).toMatchObject({
      actor: { id: '1400000000000000002' },
      server: { name: 'web-3' },
      reason: 'frozen',
    });
    expect(lines.find(({ kind }) => kind === 'intent')).toMatchObject({
      actor: { id: '1400000000000000001' },
      place: { channel: 'shell' },
    });
    expect(lines.slice(-3).map(({ kind, outcome }) => outcome ?? kind)).toEqual(['intent', 'succeeded', 'stopped']);
    const { code: left, out } = await bot.pipes(carol, 'status');
    expect([left, out]).toEqual([69, expect.stringContaining('Start it on this machine')]);
  });
});
