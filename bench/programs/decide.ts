/** Decides about servers all over the policy, and says how many microseconds one decision takes. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { commands } from '../../commands/index.ts';
import { policyFor, rulesOf } from '../../src/app/rules.ts';
import { livePolicy } from '../../src/policy/live.ts';
import { guild, lead } from '../protocol.ts';

const file = process.env['POLICY_FILE'] ?? '';
const read = policyFor(readFileSync(file, 'utf8'), guild, dirname(file));
if ('problems' in read) throw new Error('the policy of the bench is wrong');
const rules = rulesOf(livePolicy(read.policy));
const [command] = commands.filter(({ id }) => id === 'power.boot');
if (command === undefined) throw new Error('there is no power.boot');
const boot = command;
const count = read.policy.servers.length;
const roles = [lead];

/** Decides for so many ms; µs each. */
function decide(ms: number): number {
  const from = performance.now();
  let decided = 0;
  let at = 0;
  while (performance.now() - from < ms) {
    at = (at + 7_919) % count;
    if (!rules.decide(roles, boot, { id: at + 1 }).allowed) throw new Error('not allowed');
    decided += 1;
  }
  return (1000 * (performance.now() - from)) / decided;
}
decide(300);
process.stdout.write(String(decide(500)));
