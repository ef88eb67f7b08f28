import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/sandbox/page/client/answer.ts';
import { addressOf, type Page, placeOf, switchesOn } from '../../../src/sandbox/page/client/page.ts';
import { firstState } from '../../../src/sandbox/page/client/state.ts';

describe('an address', () => {
  it.each([
    ['#alice/ops', { as: 'alice', channel: 'ops', target: undefined }],
    ['#carol/web-1%20is%20slow/7', { as: 'carol', channel: 'web-1 is slow', target: '7' }],
    ['#%E0%A4%A/ops', { as: undefined, channel: 'ops', target: undefined }],
    ['#alice/%/%E0', { as: 'alice', channel: undefined, target: undefined }],
    ['', { as: undefined, channel: undefined, target: undefined }],
  ])('%j is read as far as it can be', (hash, place) => {
    expect(placeOf(hash)).toEqual(place);
  });

  it('is read as it was written', () => {
    expect(placeOf(addressOf('alice', 'a/b', '7'))).toEqual({ as: 'alice', channel: 'a/b', target: '7' });
  });
});

it.each([
  [{}, { words: 'under way', look: 'waits' }],
  [{ ms: 12 }, { words: 'no answer', look: 's0' }],
  [
    { ms: 12, status: 201 },
    { words: '201', look: 's2' },
  ],
])('of a request %j the answer is said only once it is over', (request, answer) => {
  expect(answerOf(request)).toEqual(answer);
});

it('counts the faults that are on, also while the side panel is closed', () => {
  const lever = (kind: 'toggle' | 'once', on: boolean) => ({ id: 'a', label: 'b', watch: 'c', kind, on });
  const switches = [lever('toggle', true), lever('toggle', false), lever('once', true)];
  const behind = { requests: [], entries: [], followUps: [], switches };
  const pageWith = (state: Partial<Page['state']>): Page => ({
    state: { ...firstState('alice', 'ops', 'dark'), ...state },
    set: () => undefined,
    act: () => Promise.resolve(),
    focus: () => undefined,
  });
  expect(switchesOn(pageWith({ behind }))).toBe(1);
  expect(switchesOn(pageWith({ behind: undefined, broken: 3 }))).toBe(3);
});
