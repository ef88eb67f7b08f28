import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { namedRoles, namesOf, sharedAccount } from '../../src/terminal/people.ts';
import { socketProblem } from '../../src/terminal/server.ts';
import { textOf } from '../../src/terminal/text.ts';

it('says why no socket can be there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'panelops-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await socketProblem(join(folder, 'shell.sock'))).toBeUndefined();
  expect(await socketProblem(`/${'x'.repeat(107)}`)).toBe('the path has 108 bytes, and a socket takes at most 107');
  expect(await socketProblem(join(folder, 'none', 'shell.sock'))).toBe(`there is no folder ${join(folder, 'none')}`);
  chmodSync(folder, 0o777);
  expect(await socketProblem(join(folder, 'shell.sock'))).toBe(
    `others may write to ${folder}, and so put another socket there`,
  );
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
    'UNKNOWN /power boot · web [2J 1',
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
