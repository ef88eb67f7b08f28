import { chmodSync, existsSync, lchownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Admit, listen, socketProblem } from '../../src/terminal/listen.ts';
import { namedRoles, namesOf, sharedAccount } from '../../src/terminal/people.ts';
import { written } from '../../src/terminal/protocol.ts';
import { standIn } from '../../src/terminal/server.ts';
import { textOf } from '../../src/terminal/text.ts';
import { notes } from '../helpers/ledger/samples.ts';
import { until } from '../helpers/messages.ts';
import { terminalAt } from '../helpers/terminal.ts';

function folderHere(): string {
  const folder = mkdtempSync(join(tmpdir(), 'panelops-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it('says why no socket can be there', async () => {
  const folder = folderHere();
  const [below, link] = [join(folder, 'below'), join(folder, 'link')];
  mkdirSync(below);
  symlinkSync(below, link);
  for (const each of [folder, link]) expect(await socketProblem(join(each, 'shell.sock'))).toBeUndefined();
  expect(await socketProblem(`/${'x'.repeat(96)}`)).toBe('the path has 97 bytes, and a socket takes at most 96');
  expect(await socketProblem(join(folder, 'none', 'shell.sock'))).toBe(`there is no folder ${join(folder, 'none')}`);
  const open = join(folder, 'open');
  mkdirSync(open);
  chmodSync(open, 0o1777);
  symlinkSync(open, join(folder, 'to-open'));
  expect(await socketProblem(join(folder, 'to-open', 'shell.sock'))).toBe(
    `others may write to ${open}, and so put another socket there`,
  );
  // Only root may give something away.
  if (process.getuid?.() === 0) {
    const theirs = (each: string): string =>
      `${each} is the folder of another user, who could put another socket there`;
    const first = join(open, 'first');
    mkdirSync(first);
    for (const each of [below, first, link]) lchownSync(each, 12_345, 12_345);
    expect(await socketProblem(join(link, 'shell.sock'))).toBe(`${link} is a link of another user`);
    expect(await socketProblem(join(first, 'shell.sock'))).toBe(theirs(first));
    // For people it may be the bot's.
    expect(await socketProblem(join(below, 'shell.sock'))).toBeUndefined();
    expect(await socketProblem(join(below, 'shell.sock'), true)).toBe(theirs(below));
  }
  chmodSync(folder, 0o777);
  for (const each of [folder, below])
    expect(await socketProblem(join(each, 'shell.sock'))).toBe(
      `others may write to ${folder}, and so put another socket there`,
    );
});

describe('a socket', () => {
  /** Where somebody listens, who is told nothing. */
  async function listening(take: Parameters<typeof listen>[1], patience?: number) {
    const socket = join(folderHere(), 'shell.sock');
    const close = await listen({ socket, log: notes(), ...(patience === undefined ? {} : { patience }) }, take);
    onTestFinished(close);
    return (): Socket => {
      const client = createConnection(socket);
      onTestFinished(() => void client.destroy());
      return client.on('error', () => undefined).resume();
    };
  }

  it('has room for somebody new, however many say nothing, and for eight of one account', async () => {
    const admits: Admit[] = [];
    const connect = await listening((_socket, admit) => void admits.push(admit));
    const clients = Array.from({ length: 33 }, connect);
    await until(() => clients.filter(({ closed }) => closed).length === 1, 'the end of one');
    expect(clients[0]?.closed).toBe(true);
    expect(admits.slice(1).map((admit) => admit(1001))).toEqual([...Array(8).fill(true), ...Array(24).fill(false)]);
  });

  it('has no patience with who says too little, however often', async () => {
    const client = (await listening(() => undefined, 100))();
    const dripping = setInterval(() => client.write('{'), 5);
    onTestFinished(() => clearInterval(dripping));
    await until(() => client.closed, 'the end');
  });

  it('of a process that stands by says who leads, and gives way to the one that does', async () => {
    const socket = join(folderHere(), 'shell.sock');
    let host: string | undefined = 'ops-2\x1b[2J';
    const said = async (): Promise<[number, string]> => {
      const at = terminalAt(socket, { what: 'status' }, { pipe: true });
      return [await at.code, at.seen().replace(/\s+/g, ' ')];
    };
    const close = await standIn({ socket, log: notes() }, () => host);
    expect(await said()).toEqual([
      69,
      expect.stringMatching(/stands by: another one leads\. Use its shell on `ops-2 \[2J`/),
    ]);
    host = undefined;
    expect(await said()).toEqual([69, expect.stringContaining('Use the machine of the one that leads.')]);
    const leads = await listen({ socket, log: notes() }, (other) => void other.end('{"kind":"form"}\n'));
    onTestFinished(leads);
    await close();
    expect((await said())[1]).toContain('What answers there is not the bot.');
  });

  it('of a bot that hangs is left', async () => {
    const socket = join(folderHere(), 'shell.sock');
    const server = createServer(() => undefined).listen(socket);
    onTestFinished(() => void server.close());
    const at = terminalAt(socket, { what: 'status' }, { pipe: true, patience: 100 });
    expect([await at.code, at.seen()]).toEqual([69, expect.stringContaining('The bot does not answer')]);
  });

  it('of the bot is told the number in a file that another account can read', async () => {
    const folder = folderHere();
    const [socket, file] = [join(folder, 'shell.sock'), join(folder, `panelops-${'0'.repeat(32)}`)];
    const asks = { kind: 'prove', nonce: '0'.repeat(64), file } as const;
    const found: number[] = [];
    const server = createServer((client) => {
      client.write(written(asks));
      client.once('data', () => {
        found.push(statSync(file).mode & 0o777);
        client.end();
      });
    }).listen(socket);
    onTestFinished(() => void server.close());
    expect(await terminalAt(socket, { what: 'status' }, { pipe: true }).code).toBe(69);
    expect(found).toEqual([0o644]);
  });

  it('of somebody else gets no file written for it but one of the bot’s', async () => {
    const folder = folderHere();
    const [socket, victim] = [join(folder, 'shell.sock'), join(folder, 'authorized_keys')];
    const asks = { kind: 'prove', nonce: 'ssh-ed25519 AAAA', file: victim };
    const server = createServer((client) => void client.end(`${JSON.stringify(asks)}\n`)).listen(socket);
    onTestFinished(() => void server.close());
    const at = terminalAt(socket, { what: 'status' }, { pipe: true });
    expect([await at.code, existsSync(victim)]).toEqual([1, false]);
  });
});

it.each([
  [0, true],
  [990, true],
  [65_534, true],
  [1000, false],
])('the account %i is nobody’s own: %s', (uid, isShared) => {
  expect(sharedAccount(uid, 990) !== undefined).toBe(isShared);
});

it('knows an account by each of its names', () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\nalice:x:1000:1000::/:/bin/sh\nalicia:x:1000:1000::/:/bin/sh\nbroken\n';
  expect(namesOf(1000, passwd)).toEqual(['alice', 'alicia']);
  expect(namesOf(7, passwd)).toEqual([]);
});

it('draws a card in 80 columns, without marks, names or orders to the terminal that came from outside', () => {
  const text = textOf(
    {
      state: 'unknown',
      command: '/power boot',
      subject: { markup: '`web\x1b[2J\u202E1`' },
      fact: { markup: `**Nobody** knows: <@12345678901234567> and <@&77777777777777777>, <t:0:R>` },
      body: [
        { markup: `[the card](https://discord.com/channels/1/2/3) says ${'a long story '.repeat(12)}` },
        { markup: 'x'.repeat(170) },
      ],
      small: [{ markup: 'snake\\_case' }],
      run: 'b1x',
    },
    { person: () => 'alice', role: () => undefined },
  );
  expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
  expect(text).not.toMatch(/[^\P{C}\n]/u);
  expect(text.split('\n').slice(0, 3)).toEqual([
    'UNKNOWN /power boot · `web [2J 1`',
    'Nobody knows: @alice and @77777777777777777, 1970-01-01 00:00:00 UTC',
    expect.stringMatching(/^the card says a long story /),
  ]);
  expect(text.split('\n').at(-1)).toBe('snake_case · run b1x');
});

it.each([
  ['1', ['11', '12']],
  ['2', undefined],
  ['3', ['12']],
  ['4', undefined],
])('the person %s has the roles that the policy names for each of their accounts', (person, roles) => {
  const people = [
    { account: 1, discord: '1', roles: ['a', 'b'] },
    { account: 2, discord: '2' },
    { account: 3, discord: '3', roles: ['a', 'b'] },
    { account: 4, discord: '3', roles: ['b'] },
  ];
  const ids: Record<string, string> = { a: '11', b: '12' };
  expect(namedRoles(people, person, (name) => [ids[name] ?? ''])).toEqual(roles);
});
