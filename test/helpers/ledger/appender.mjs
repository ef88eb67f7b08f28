// A process with a ledger of its own, for the tests that kill one. It says on standard output what happened to it.
import { openFileLedger } from '../../../dist/src/ledger/file-store.js';

const [, , dir, task, ...sizes] = process.argv;
const quiet = () => undefined;
const base = { actor: { id: '1', name: 'bob', roles: [] }, command: 'power.boot', options: {} };
const entry = (run, said = '') => ({
  ...base,
  run,
  kind: 'outcome',
  place: { guild: '1', channel: '1' },
  outcome: 'accepted',
  said,
});
const say = (word) => process.stdout.write(`${word}\n`);

async function loop(ledger, worker) {
  for (let number = 1; ; number += 1) {
    await ledger.append([entry(`worker${worker}.${number}`)]);
    say(`worker${worker}.${number}`);
  }
}

try {
  const onTaken = ({ message }) => {
    say(message);
    process.exit(1);
  };
  const ledger = await openFileLedger({ dir, log: { info: quiet, warn: quiet, error: quiet }, onTaken });
  say('open');
  if (task === 'hold') process.stdin.resume().on('end', () => process.exit(0));
  if (task === 'loop') await Promise.all([1, 2, 3].map((worker) => loop(ledger, worker)));
  for (const [at, size] of sizes.entries()) {
    const appended = ledger.append([entry(`sized.${at + 1}`, 'x'.repeat(Number(size)))]);
    say(
      await appended.then(
        () => 'recorded',
        (error) => `${error.name} ${error.cause?.code}`,
      ),
    );
  }
} catch (error) {
  say(error.name);
}
