import { expect, it } from 'vitest';
import { loggedExport } from '../../src/traces/collector.ts';
import { quietLog } from '../helpers/messages.ts';

/** How many of two exports right after one another are sent where the first fails. */
function sentOf(what: 'traces' | 'metrics'): number {
  let sent = 0;
  const send = loggedExport<string>(
    (_all, done) => {
      sent += 1;
      done({ code: 1 });
    },
    what,
    quietLog,
  );
  for (const all of ['one', 'two']) send(all, () => undefined);
  return sent;
}

it('after a failure traces pause, and metrics, which come once a minute, do not', () => {
  expect([sentOf('traces'), sentOf('metrics')]).toEqual([1, 2]);
});
