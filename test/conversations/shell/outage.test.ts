import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { startHere, types, verified } from '../../helpers/bot-here.ts';
import { until } from '../../helpers/messages.ts';
import { type Surroundings, surroundings } from '../../helpers/surroundings.ts';
import { shellFor, shellPolicy, terminalAt } from '../../helpers/terminal.ts';

const flush = (server: string) => ({ what: 'do', line: `firewall flush server:${server} interface:primary` }) as const;

/** Nothing of Discord answers any more. */
function cutOff({ discord }: Surroundings): void {
  discord.order({ kind: 'status', status: 503 });
  discord.order({ kind: 'outage' });
}

/** Waits until the channel has all of the ledger. */
async function vouched({ discord }: Surroundings, dir: string): Promise<string> {
  const all = () => discord.view('alice', 'audit');
  await until(() => (all().match(/SUCCEEDED/g) ?? []).length >= 2, 'both changes in the channel', 60_000);
  const { code, out } = await verified(discord, dir);
  expect(code, out.join('\n')).toBe(0);
  return all();
}

it('A night without Discord is played at the terminal, and the trail has all of it when Discord is back', async () => {
  const around = await surroundings();
  const { shell, as } = shellFor();
  const { dir } = await startHere(around, { policy: shellPolicy, shell });
  expect(await types(around, '/firewall enable server:web-1')).toContain('SUCCEEDED');
  cutOff(around);
  as(1001);
  const status = terminalAt(shell.socket, { what: 'status' }, { pipe: true });
  expect(await status.code, status.seen()).toBe(0);
  const change = terminalAt(shell.socket, flush('web-2'));
  await change.after('Type "Flush web-2"', 'flush web-2');
  expect(await change.code, change.seen()).toBe(0);
  expect(around.panel.effects).toHaveLength(2);
  // Two persons stay two: both have the roles of the policy.
  as(1002);
  const waits = terminalAt(shell.socket, { what: 'do', line: 'power poweroff server:build-1' });
  await waits.after('Type "', 'power off build-1');
  const run = await until(() => /@1002 confirmed[\s\S]*run (b\w+)/.exec(waits.seen())?.[1], 'the run');
  as(1001);
  const approves = terminalAt(shell.socket, { what: 'approve', run });
  await approves.after('Type "Approve', 'approve: power off build-1');
  expect(await approves.code, approves.seen()).toBe(0);
  expect(await waits.code, waits.seen()).toBe(0);
  expect(around.panel.effects).toHaveLength(3);
  // Whose roles nobody can ask for has those of the policy, which are none here.
  as(1003);
  const carol = terminalAt(shell.socket, { what: 'do', line: 'server show server:web-1' }, { pipe: true });
  expect(await carol.code, carol.seen()).toBe(2);
  around.discord.clear();
  const trail = await vouched(around, dir);
  expect(trail.indexOf('web-1')).toBeLessThan(trail.indexOf('web-2'));
  expect(trail).toMatch(/SUCCEEDED .*web-2.* · shell/);
});

it('A bot that starts while Discord is down serves the terminal, and Discord once that is back', async () => {
  const around = await surroundings();
  const { shell, as } = shellFor();
  cutOff(around);
  const starting = startHere(around, { policy: shellPolicy, shell });
  await until(() => existsSync(shell.socket), 'the socket', 60_000);
  as(1001);
  const change = terminalAt(shell.socket, flush('web-2'));
  await change.after('Type "Flush web-2"', 'flush web-2');
  expect(await change.code, change.seen()).toBe(0);
  around.discord.clear();
  const { dir } = await starting;
  expect(await types(around, '/firewall enable server:web-1')).toContain('SUCCEEDED');
  await vouched(around, dir);
});

it('Where changes wait for the audit channel, break-glass goes on at the terminal, and its review waits in Discord', async () => {
  const around = await surroundings();
  const { shell, as } = shellFor();
  const policy = shellPolicy
    .replace('audit-channel: wanted', 'audit-channel: required')
    .replace('allow-in-emergency: [backup.restore]', 'allow-in-emergency: [firewall.enable]');
  const { dir } = await startHere(around, { policy, shell });
  around.discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'send' });
  await vi.waitFor(
    async () => expect(await types(around, '/firewall enable server:web-1')).toContain('UNAVAILABLE'),
    60_000,
  );
  cutOff(around);
  as(1002);
  const enable = { what: 'do', line: 'firewall enable server:web-2' } as const;
  const alone = terminalAt(shell.socket, enable);
  await alone.after('UNAVAILABLE', '');
  await alone.after('Type "Break glass"', 'break glass');
  await alone.after('Reviewed afterwards: ', 'nobody can open the channel');
  await alone.after('Type "Enable firewall of web-2"', 'enable firewall of web-2');
  expect(await alone.code, alone.seen()).toBe(0);
  around.discord.clear();
  const review = () => around.discord.messages('alice', 'audit').concat(around.discord.messages('alice', 'ops'));
  await until(() => review().some(({ pinged }) => pinged.length > 0), 'the ping', 60_000);
  const handover = await types(around, '/handover');
  expect(handover).toContain('1 break-glass review open');
  expect((await verified(around.discord, dir)).code).toBe(0);
});
