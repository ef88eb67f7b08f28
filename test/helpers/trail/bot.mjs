// The bot as it is compiled, with a trail that is quick, in a process that a test may kill.
import pino from 'pino';
import { policyFor, startApp } from '../../../dist/src/app.js';

const { policyText, trail, ...options } = JSON.parse(process.argv[2] ?? '');
const read = policyFor(policyText, options.discord.guild);
if ('problems' in read) throw new Error(JSON.stringify(read.problems));

const app = await startApp({
  ...options,
  policy: read.policy,
  note: '',
  log: pino({ level: 'debug' }, pino.destination(2)),
  onRefused: (problem) => process.stderr.write(`refused: ${problem}\n`),
  intervals: { sweep: 50, trail },
});
process.once('SIGTERM', () => app.stop().then(() => process.exit(0)));
process.stdout.write('ready\n');
