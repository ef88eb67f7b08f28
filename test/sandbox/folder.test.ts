import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { lockFolder } from '../../src/ledger/lock.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { folder } from '../helpers/ledger/samples.ts';

const ours = '1100000000000000001';
const real = '1234567890123456789';
const both = { discord: true, panel: true };
const line = (guild: string): string => `{"kind":"intent","place":{"channel":"1","guild":"${guild}"}}\n`;
const started = '{"kind":"started","owner":"a"}\n';
const state = { 'sandbox/discord.jsonl': '', 'sandbox/panel.json': '' };

function folderWith(files: Readonly<Record<string, string>>): string {
  const dir = folder();
  mkdirSync(join(dir, 'sandbox'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  if (readdirSync(join(dir, 'sandbox')).length === 0) rmSync(join(dir, 'sandbox'), { recursive: true });
  return dir;
}

/** What it says instead of starting. */
const refusal = (
  dataDir: string,
  sides: { discord: boolean; panel: boolean; guild?: string; realDir?: string } = both,
): Promise<string> =>
  startSandbox({ ...sides, dataDir, lock: lockFolder, onTrouble: () => undefined }).then(
    async (sandbox) => {
      await sandbox.stop();
      return 'started';
    },
    ({ name, message }: Error) => `${name}: ${message}`,
  );

const holds =
  /^SandboxUnreadable: \S+: this folder holds the ledger of a real guild \(1234567890123456789\), and the sandbox does not touch it\. .*\.env.*another DATA_DIR\.$/;
const mayBe =
  /^SandboxUnreadable: \S+: this folder holds a ledger, but not .*\(sandbox\/\S+\); it may be that of a real bot, and the sandbox does not touch it\. .*\.env.*another DATA_DIR\.$/;
const megabyte = `${line(ours)}`.repeat(30_000);

it.each<[string, Record<string, string>, RegExp]>([
  ['of a real bot', { 'ledger.jsonl': started + line(real) }, holds],
  ['of a closed month', { 'ledger-2026-10.jsonl': line(real), 'ledger.jsonl': '' }, holds],
  ['that began as a sandbox, of which all is left', { ...state, 'ledger.jsonl': megabyte + line(real) }, holds],
  ['of a real bot in which nobody did anything', { 'ledger.jsonl': started }, mayBe],
  ['that is damaged', { 'ledger.jsonl': '\0\0\0' }, mayBe],
  ['of a sandbox that lost its own state', { 'ledger.jsonl': line(ours), 'sandbox/panel.json': '' }, mayBe],
])('the sandbox refuses the ledger %s, says what it is, and leaves it alone', async (_, files, says) => {
  const dir = folderWith(files);
  const before = readdirSync(dir);
  const words = await refusal(dir);
  expect(words).toMatch(says);
  expect(words).not.toMatch(/delete|remove|move/i);
  expect(readdirSync(dir)).toEqual(before);
});

it("takes the ledger of the real guild whose Discord it stands beside, if that has the sandbox's panel", async () => {
  const beside = { discord: false, panel: true, guild: real };
  expect(await refusal(folderWith({ 'ledger.jsonl': line(real) }), beside)).toMatch(mayBe);
  const dir = folderWith({ 'ledger.jsonl': '' });
  expect(await refusal(dir, beside)).toBe('started');
  writeFileSync(join(dir, 'ledger.jsonl'), line(real));
  expect(await refusal(dir, beside)).toBe('started');
  expect(await refusal(dir, { ...beside, guild: '1234567890123456780' })).toMatch(holds);
});

it('starts where nothing is yet', async () => {
  const dir = folderWith({});
  expect(await refusal(join(dir, 'new'))).toBe('started');
  expect(existsSync(join(dir, 'new', 'sandbox', 'panel.json'))).toBe(true);
});

it('refuses the ledger of the first release', async () => {
  const dir = folderWith({});
  copyFileSync(
    fileURLToPath(new URL('../fixtures/first-release/ledger.jsonl', import.meta.url)),
    join(dir, 'ledger.jsonl'),
  );
  expect(await refusal(dir)).toMatch(/this folder holds (?:the|a) ledger/);
});

it('refuses the default folder below the ledger of a real bot whose .env is lost, and only that', async () => {
  const realDir = folderWith({ 'ledger.jsonl': started + line(real) });
  const dataDir = join(realDir, 'sandbox');
  expect(await refusal(dataDir, { ...both, realDir })).toMatch(holds);
  expect(existsSync(dataDir)).toBe(false);
  expect(await refusal(dataDir)).toBe('started');
});
