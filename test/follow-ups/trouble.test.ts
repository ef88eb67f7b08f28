import { expect, it } from 'vitest';
import { toldOnce } from '../../src/waits.ts';
import { notes } from '../helpers/ledger/samples.ts';

it('A trouble is said once, again after it was over, and not when the connection is closed on purpose', () => {
  const log = notes();
  const trouble = toldOnce(log, 'follow-up worker error');
  const lost = () => trouble.say('Connection is closed.');
  lost();
  lost();
  expect(log.lines).toHaveLength(1);
  trouble.over();
  lost();
  expect(log.lines).toHaveLength(2);
  trouble.over();
  trouble.end();
  lost();
  expect(log.lines).toHaveLength(2);
});
