import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { blocksOf, documentOf, sectionOf } from '../../helpers/docs/documents.ts';
import { changings } from '../../helpers/every-command/lines.ts';
import { readRoot } from '../../helpers/house.ts';
import { ledgerIn } from '../../helpers/ledger/reading.ts';
import { folderForAll } from '../../helpers/ledger/samples.ts';
import { until } from '../../helpers/messages.ts';
import { botForAll } from '../../helpers/stage.ts';

const { text: sandboxPage } = documentOf('docs/sandbox.md');
const operations = documentOf('docs/operations.md').text;

/** The block or the table behind a mark such as `<!-- transcript -->`. */
const marked = (mark: string): string => sandboxPage.slice(sandboxPage.indexOf(`<!-- ${mark} -->`));
const blockAt = (mark: string): string => blocksOf(marked(mark))[0]?.text.trimEnd() ?? '';

/** A line of a document for a shell. */
function lineWith(words: string, text: string): string {
  const line = blocksOf(text)
    .flatMap((block) => block.text.split('\n'))
    .find((each) => each.startsWith(words));
  if (line === undefined) throw new Error(`no document has a line that begins with ${words}`);
  return line;
}

const cwd = folderForAll();
const env = { HTTP_PORT: '0', DATA_DIR: join(cwd, 'data'), HOME: cwd, TMPDIR: cwd };
const bot = botForAll(env, cwd);

/** What the console says of a line that it cannot do. */
const refused = /^(?:There is no|Nothing new|No button|\w+ (?:has no form|sees no)).*/gm;

const says = (lines: string): void => void bot.child.stdin?.write(`${lines}\n`);

/** What is printed between empty lines, without what differs: the run's id, and whether the card was there before. */
const blocksIn = (printed: string): string[] =>
  printed
    .replace(/\brun [0-9a-z]+/g, 'run …')
    .replaceAll('#ops (changed)\n', '#ops\n')
    .trim()
    .split(/\n\n+/);

/** Waits until a card says so, from here on. */
async function prints(words: string, from = 0): Promise<void> {
  await until(() => bot.stdout().slice(from).includes(words), words, 30_000);
}

/** Where the last command was typed. */
let typedAt = 0;

/** Whether a button is there to be clicked. Each question has Confirm and Cancel: that of the last command is meant. */
function shows(label: string): boolean {
  const isOfQuestion = ['Confirm', 'Cancel'].includes(label);
  return isOfQuestion ? /^ {2}\[.*\[Cancel\]/m.test(bot.stdout().slice(typedAt)) : bot.stdout().includes(`[${label}`);
}

/** Types a line, and waits for the card, the question or the form that comes of it. */
async function does(line: string): Promise<void> {
  const from = bot.stdout().length;
  const [, who, command] = /^(\w+) (\/[a-z0-9-]+(?: [a-z-]+(?!\S))?)/.exec(line) ?? [];
  const [, label] = / click (\w+)$/.exec(line) ?? [];
  if (command !== undefined) typedAt = from;
  if (label !== undefined) await until(() => shows(label), `a button for ${line}`, 30_000);
  says(line);
  // What was followed may end meanwhile, and after a click the question may be printed once more, unless others are asked.
  const clicked = /^panelops: [^◌?■\d]|has a form open|until somebody else approves|asks somebody who may/m;
  const approved = /^panelops: [^◌?■\d]|Nothing is sent until/m;
  const filled = /^panelops: [^◌?\d]|With break-glass/m;
  const typed = new RegExp(`^${who} used ${command}\npanelops: [^◌\\d]`, 'm');
  const over = command !== undefined ? typed : label === 'Approve' ? approved : label !== undefined ? clicked : filled;
  await until(() => over.test(bot.stdout().slice(from)), line, 30_000);
}

const shell = (line: string): string => execFileSync('sh', ['-c', line], { encoding: 'utf8', stdio: 'pipe' });

const recorded = () => ledgerIn(join(cwd, 'data'));

/** How changes ended since there were so many entries: command, server, outcome. */
const endingsSince = (count: number): (string | number | undefined)[][] =>
  recorded()
    .slice(count)
    .flatMap((entry) => (entry.kind === 'outcome' ? [[entry.command, entry.server?.name, entry.outcome]] : []));

describe('the sandbox, as its page tells it', () => {
  it('prints what the page shows', async () => {
    for (const block of blocksIn(blockAt('transcript'))) {
      if (block.startsWith('> ')) says(block.slice(2));
      else await until(() => blocksIn(bot.stdout()).includes(block), block, 30_000);
    }
  });

  it('does every operation, in the order of the page', async () => {
    const before = recorded().length;
    const from = bot.stdout().length;
    for (const line of blockAt('every operation').split('\n')) await does(line);
    // A restore that ends meanwhile prints its card, too: the last line's own answer may come after it.
    await until(() => bot.stdout().slice(from).includes('panelops: ≡ May you run '), 'the answer to /can');
    const printed = bot.stdout().slice(from);
    const wrong = /panelops: . (?:INVALID|DENIED|REJECTED|BLOCKED|NOT-SENT|UNAVAILABLE|UNKNOWN|FAILED).*/g;
    expect(printed.match(wrong) ?? []).toEqual([]);
    expect(printed.match(refused) ?? []).toEqual([]);
    const titles = ['Panel check', 'Hypervisor groups', 'Hypervisor group 1', 'Capacity of group 1'];
    for (const title of [...titles, 'Firewall of web-1', 'Traffic of web-1', 'What you may run', 'May you run '])
      expect(printed).toContain(`panelops: ≡ ${title}`);
    expect(printed).not.toContain('Each role once');
    expect(printed).toMatch(/primary: @bob until .*\n {2}│ Next: @alice\./);
    expect(printed).toMatch(/│ panelops \d+\.\d+\.\d+\n {2}│ → \/help command: explains one\./);
    await expect.poll(() => endingsSince(before)).toHaveLength(20);
    const ends = endingsSince(before);
    expect(new Set(ends.map(([command]) => command))).toEqual(new Set(changings.map(([id]) => id)));
    expect(ends.filter(([, , outcome]) => outcome !== 'succeeded' && outcome !== 'accepted')).toEqual([]);
  });

  it('refuses nobody in a whole session', async () => {
    const before = recorded().length;
    const from = bot.stdout().length;
    const lines = blockAt('one night').split('\n');
    for (const line of lines) await does(line);
    await prints('∅ CANCELLED /power restart', from);
    const printed = bot.stdout().slice(from);
    expect(printed.match(refused) ?? []).toEqual([]);
    expect(printed).toMatch(/· break-glass/);
    await expect
      .poll(() => endingsSince(before))
      .toEqual([
        ['backup.restore', 'db-2', 'accepted'],
        ['backup.restore', 'db-1', 'accepted'],
        ['power.restart', 'web-2', 'blocked'],
        ['power.boot', 'web-2', 'blocked'],
        ['power.restart', 'web-3', 'cancelled'],
        ['power.restart', 'cache-1', 'cancelled'],
      ]);
    await expect.poll(() => recorded().filter(({ kind }) => kind === 'reviewed')).toHaveLength(1);
  });

  it('accepts orders for faults, and cancels them', async () => {
    const faults = sectionOf('docs/sandbox.md', '## Order a fault');
    const { panel } = await bot.ready();
    const order = (line: string): string => shell(line.replace('PORT', new URL(panel.url).port));
    const before = recorded().length;
    order(lineWith('curl -X POST', faults));
    says('bob /cpu throttle server:web-2 percent:50');
    await prints('panelops: △ UNKNOWN /cpu throttle · web-2 (102, production)');
    await expect.poll(() => endingsSince(before)).toEqual([['cpu.throttle', 'web-2', 'unknown']]);
    order(lineWith('curl -X POST', faults));
    order(lineWith('curl -X DELETE', faults));
    says('bob /cpu throttle server:web-3 percent:50');
    await prints('panelops: ✓ SUCCEEDED /cpu throttle · web-3 (103, staging)');
  });
});

it('wakes bob with an alert at night, which he ends with what it suggests', async () => {
  const { alerts = '' } = await bot.ready();
  const night = sectionOf('docs/sandbox.md', '## An alert at night');
  const before = recorded().length;
  const from = bot.stdout().length;
  // Another sandbox may have the usual port.
  const tells = (status: string): string =>
    shell(lineWith('curl -H', night).replace('http://127.0.0.1:9099', alerts).replace('firing', status));
  expect(tells('firing')).toBe('{"says":"It is in the ledger."}');
  await prints('panelops: ▲ ALERT sandbox', from);
  const lines = blockAt('an alert at night').split('\n');
  const follows = [
    'Acknowledged by @bob',
    '#HostDown on web-1',
    '? QUESTION /power restart · web-1',
    '/power restart · web-1',
  ];
  for (const [at, words] of follows.entries()) {
    says(lines[at] ?? '');
    await prints(words, from);
  }
  expect(lines).toHaveLength(follows.length);
  await expect.poll(() => endingsSince(before)).toEqual([['power.restart', 'web-1', 'accepted']]);
  tells('resolved');
  await prints('· resolved', from);
  await does(blocksOf(night).at(-1)?.text.trimEnd() ?? '');
  const printed = bot.stdout().slice(from);
  expect(printed.match(refused) ?? []).toEqual([]);
  await prints('`HostDown` on web-1 (101) resolved', from);
});

describe('the ledger, on the machine', () => {
  const program = fileURLToPath(new URL('../../../dist/src/main.js', import.meta.url));
  /** Runs `npm run audit -- …` without its build, beside the bot. */
  const audits = (line: string): string =>
    execFileSync(process.execPath, [program, 'audit', ...line.replace(/^.* -- /, '').split(' ')], {
      cwd,
      env,
      encoding: 'utf8',
    });

  it('is what npm run audit verifies', () => {
    expect(JSON.parse(readRoot('package.json')).scripts.audit).toMatch(/node src\/start\.mjs audit$/);
    expect(operations).toContain('`node dist/src/main.js audit verify`');
    expect(audits(lineWith('npm run audit -- verify', operations))).toMatch(/^ok: \d+ entries, head [0-9a-f]{64}\n/);
  });

  it('is exported', () => {
    audits(lineWith('npm --silent run audit -- export', operations));
    expect(existsSync(join(cwd, 'record.csv'))).toBe(true);
    const [head, ...rows] = readFileSync(join(cwd, 'record.csv'), 'utf8').trimEnd().split('\r\n');
    expect(head).toMatch(/^seq,time,kind,run,command,/);
    expect(rows.filter((row) => row.includes('firewall.flush')).length).toBeGreaterThan(3);
  });
});
