import { expect, it, onTestFinished, vi } from 'vitest';
import { openLog } from '../../src/cli/log.ts';

/** A log whose minutes pass when the test says so. */
function logged() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: { level: number; msg: string; run?: string }[] = [];
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines, minutePasses: () => vi.advanceTimersByTime(60_000) };
}

it('Trouble of one kind is twenty lines a minute and a number, and does not hide other lines', () => {
  const { log, lines, minutePasses } = logged();
  for (let time = 0; time < 2_500; time += 1)
    log.warn({ run: `r${time}`, problem: 'CROSSSLOT' }, 'follow-up worker error');
  log.error({}, 'the ledger cannot be written');
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toMatchObject({ level: 50, msg: 'the ledger cannot be written' });
  minutePasses();
  expect(lines.at(-1)).toMatchObject({ level: 40, msg: '2480 more like it: follow-up worker error' });
  expect(lines).toHaveLength(22);
});

it('The next minute begins anew, and one without trouble says nothing', () => {
  const { log, lines, minutePasses } = logged();
  for (let time = 0; time < 20; time += 1) log.warn({}, 'gateway error');
  minutePasses();
  minutePasses();
  log.warn({}, 'gateway error');
  expect(lines.map(({ msg }) => msg)).toEqual(Array(21).fill('gateway error'));
});

it('Each denial that the ledger only counts has its line', () => {
  const { log, lines, minutePasses } = logged();
  for (let time = 0; time < 1_000; time += 1) log.info({ run: `r${time}` }, 'denied again');
  minutePasses();
  expect(lines).toHaveLength(1_000);
});

it('Text from outside is no order for the terminal that shows a line, and neither hides nor reorders it', () => {
  const written: string[] = [];
  const problem = 'a\u001b[2J\u009b2J\u202eb\u200b\u2028\u{e0041}\u007f';
  openLog('info', { write: (line) => void written.push(line) }).info({ problem }, 'said');
  expect(written.join('')).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(written.join(''))).toMatchObject({ problem, msg: 'said' });
});
