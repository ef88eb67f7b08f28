import { describe, expect, it } from 'vitest';
import { asks, changes, confirms, ended, idOf, stateOf } from '../helpers/messages.ts';
import { changePolicy, exampleWith } from '../helpers/policy/in-force.ts';
import { examplePolicy, worldForEach } from '../helpers/world.ts';

const policy = examplePolicy.replace('also: [firewall.flush]', 'also: ["firewall.*", backup.restore]');
const world = worldForEach({ still: true, policy });
const paths = (): string[] => changes(world).map(({ path }) => path);

describe('servers by tier, group and glob', () => {
  it('are named in the question, counted by tier, recorded by their ids, and one run each', async () => {
    expect(await world.alice.types('/power restart server:group:1')).toShow(
      'QUESTION /power restart · 5 servers (4 production, 1 staging)',
      'web-1 (101), web-2 (102), web-3 (103), db-1 (111) and db-2 (112) will be restarted.',
      '[Restart 5 servers] [Cancel] [One after the other]',
    );
    expect(world.ledger().at(-1)).toMatchObject({ kind: 'asked', options: { server: '101,102,103,111,112' } });
    expect(await world.bob.types('/power boot server:tier:staging')).toContain('ACCEPTED /power boot · 2 servers');
    expect(paths()).toEqual(['/servers/103/power/boot', '/servers/131/power/boot']);
    // What is hidden from somebody does not count, not even towards the limit.
    expect(await world.bob.types('/power boot server:*')).toContain('ACCEPTED /power boot · 10 servers');
    for (const line of ['/traffic show server:tier:staging', '/can command:power.boot server:web-?'])
      expect(await world.alice.types(line)).toContain(': this command takes one server');
    expect(await world.alice.types('/power boot server:"web-1,group:9"')).toContain(
      'the policy names no server `group:9`. Type a name, an id or an address, or pick a suggestion.',
    );
  });

  const more = '  - { id: 104, name: web-4, tier: staging }\n  - { id: 201, name: lab-1';
  const grows = ['  - { id: 201, name: lab-1', more] as const;

  it('are those of the question, and of the form for a reason, though the policy has more of them by now', async () => {
    const question = await asks(world, '/power restart server:tier:staging');
    changePolicy(world, exampleWith(grows));
    await world.discord.click('alice', question.id, idOf(question, 'Confirm'));
    expect(stateOf(await ended(world, question))).toBe('ACCEPTED');
    const wanted = ['commands:\n', 'commands:\n  - { match: [power.boot], reason: required }\n'] as const;
    changePolicy(world, exampleWith(wanted));
    expect(await world.bob.types('/power boot server:tier:staging')).toBe('modal: /power boot · 2 servers');
    changePolicy(world, exampleWith(wanted, grows));
    expect(await world.bob.fills('it is down')).toContain('ACCEPTED /power boot · 2 servers');
    expect(paths()).toEqual(
      ['restart', 'boot'].flatMap((word) => [103, 131].map((id) => `/servers/${id}/power/${word}`)),
    );
  });
});

describe('several servers in turn', () => {
  it('are applied what was stored, each, and enabled again what was disabled', async () => {
    await confirms(world.alice, '/firewall disable server:tier:lab sync:false');
    expect(await world.alice.clicks('Apply now')).toContain('SUCCEEDED /firewall sync · 2 servers');
    await world.alice.clicks('Undo');
    const each = (path: string) => [201, 202].map((id) => `/servers/${id}/firewall/primary${path}`);
    await expect
      .poll(() => paths().map((path) => path.replace(/\?.*/, '')))
      .toEqual([...each('/disable'), ...each(''), ...each('/enable')]);
  });

  it('go down together in a restart, which says so, or one after the other, each with a question', async () => {
    const question = await world.alice.types(`/power restart server:web-1,web-2 reason:kernel`);
    expect(question).toContain('**They go down together**, not one after the other.');
    const one = await world.alice.clicks('One after the other');
    expect(one).toContain('QUESTION /power restart · web-1 (101, production)');
    expect(one).not.toContain('together');
    await expect
      .poll(() => world.alice.sees())
      .toMatch(/CANCELLED \/power restart[\s\S]* went on one after the other: see/);
    const done = await world.alice.clicks('Restart web-1');
    expect(done).toContain('ACCEPTED /power restart');
    expect(done).not.toContain('[Next');
    await world.alice.types('/follow-ups stop server:web-1');
    await world.alice.types('/follow-ups ended server:web-1 how:finished');
    const next = await world.alice.clicks('Next: restart web-2');
    expect(next).toContain('QUESTION /power restart · web-2 (102, production)');
    expect(next).toContain('Reason: `kernel`');
    expect(paths()).toEqual(['/servers/101/power/restart']);
  });
});

describe('commands for one server, where the policy lets them have several', () => {
  it('/firewall flush shows what is set on each', async () => {
    expect(await world.alice.types('/firewall flush server:tier:staging')).toContain(
      '**Cannot be undone; a file keeps the rules.** Rules set now: web-3: 200, cache-1: 2; all enabled.',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /firewall flush · 2 servers',
      'Flush 2 servers: 2 succeeded.',
      '**SUCCEEDED** web-3 (103): Primary interface: all rules were removed.',
      'In the file: the 202 rules from before.',
      '📎 2-servers-primary-rules-before.txt (17035 bytes)',
    );
  });

  it('/backup restore is confirmed by typing how many servers there are, and takes no chains, each of which is of one', async () => {
    const line = '/backup restore server:tier:staging disks:0 reason:"lost update"';
    expect(await world.alice.types(line)).toContain('Nothing is sent until @alice confirms by typing `2 servers`.');
    await world.alice.clicks('Confirm');
    for (const typed of ['tier:staging', '2', '3 servers']) {
      expect(await world.alice.fills(typed)).toContain('What you typed is not `2 servers`.');
      await world.alice.clicks('Confirm');
    }
    expect(paths()).toEqual([]);
    expect(await world.alice.fills('2 Servers')).toShow(
      'ACCEPTED /backup restore · 2 servers',
      'Restore disk 0 of 2 servers: 2 accepted.',
      '**ACCEPTED** cache-1 (131): The restore of cache-1 has started (job 9002) and is not finished yet.',
    );
    expect(await world.alice.types(`${line} chains:0=17`)).toContain(
      'a chain belongs to one server. For several, choose a time with until.',
    );
  });
});

it('Twenty servers, as many as a policy can allow, have a line each on one card', async () => {
  const row = (n: number) =>
    `  - { id: ${301 + n}, name: node-with-a-rather-long-name.rack-${n}.example.org, tier: rack }\n`;
  const rows = Array.from({ length: 21 }, (_, n) => row(n)).join('');
  changePolicy(world, exampleWith(['most: 10', 'most: 20'], ['  - { id: 201', `${rows}  - { id: 201`]));
  const reason = 'x'.repeat(200);
  expect(await world.alice.types(`/power restart server:tier:rack reason:${reason}`)).toContain('these are 21 servers');
  const twenty = Array.from({ length: 20 }, (_, n) => 301 + n).join(',');
  // The sandbox's panel does not have them, so that it says no twenty times.
  const card = await confirms(world.alice, `/power restart server:${twenty} reason:${reason}`);
  expect(card.match(/\*\*REJECTED\*\* node-with\S+ \(3\d\d\): \S/g)).toHaveLength(20);
  expect(changes(world)).toHaveLength(20);
  expect(Math.max(...world.ledger().map((entry) => JSON.stringify(entry).length))).toBeLessThan(4_096);
});
