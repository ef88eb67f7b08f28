// The bot as it is compiled, with intervals that an eye can follow, in a process that a test may kill.
import pino from 'pino';
import { policyFor, startApp } from '../../../dist/src/app.js';

const { policyText, followUps, cards, ahead = 0, ...options } = JSON.parse(process.argv[2] ?? '');
const read = policyFor(policyText, options.discord.guild);
if ('problems' in read) throw new Error(JSON.stringify(read.problems));

await startApp({
  ...options,
  policy: read.policy,
  note: '',
  log: pino({ level: 'debug' }, pino.destination(2)),
  onRefused: (problem) => process.stderr.write(`refused: ${problem}\n`),
  // Reminders are due as if it were so many ms later.
  now: () => Date.now() + ahead,
  intervals: { recover: 50, reconcile: 500, followUps, cards, announcer: { every: 50, again: 100 } },
});
process.stdout.write('ready\n');
