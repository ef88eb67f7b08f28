// The bot as it is built, with intervals that a test hands in, in a process that it may kill.
import pino from 'pino';
import { startApp } from '../../dist/src/chunks/app.js';

const { ahead = 0, ...options } = JSON.parse(process.argv[2] ?? '');

const app = await startApp({
  ...options,
  note: '',
  log: pino({ level: 'debug' }, pino.destination(2)),
  onTaken(problem) {
    process.stderr.write(`${problem}\n`);
    process.exit(1);
  },
  onRefused: (problem) => process.stderr.write(`refused: ${problem}\n`),
  // What is due goes as if it were so many ms later.
  now: () => Date.now() + ahead,
});
process.once('SIGTERM', () => app.stop().then(() => process.exit(0)));
process.stdout.write('ready\n');
