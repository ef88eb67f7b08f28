import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startHere, types, verified } from '../../helpers/bot-here.ts';
import { type Surroundings, surroundings } from '../../helpers/bot-process.ts';
import { until } from '../../helpers/messages.ts';
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
