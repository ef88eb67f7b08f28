import { expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { titleOf } from '../../src/decide/form.ts';
import { openForm } from '../../src/shell/form.ts';
import type { Invocation, RunParts } from '../../src/shell/parts.ts';
import { submitForm } from '../../src/shell/submit.ts';

const boot = commands.find(({ id }) => id === 'power.boot');
const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
const place = { guild: '1', channel: '2' };

/** As far as forms go. */
function scene() {
  const said: string[] = [];
  const parts = { forms: new Map(), handled: new Set(), now: () => 0 } as unknown as RunParts; // Nothing else is reached.
  const reply = {
    ask: () => Promise.resolve(),
    refuse: ({ fact }: { fact?: { markup: string } }) => {
      said.push(fact?.markup ?? '');
      return Promise.resolve('answered');
    },
  };
  const typed = (id: string) =>
    ({ interaction: { id, token: '' }, actor: alice, place, command: 'power.boot', options: {}, reply }) as never; // As above.
  const asks = (id: string): Promise<void> =>
    openForm(parts, typed(id) satisfies Invocation, { command: boot ?? fail(), servers: [], options: {} });
  return { parts, said, reply, asks };
}

const fail = (): never => {
  throw new Error('there is no such command');
};

it('keeps the newest thousand forms', async () => {
  const { parts, asks } = scene();
  for (let n = 1; n <= 1_200; n += 1) await asks(String(n));
  expect(parts.forms.size).toBe(1_000);
  expect([...parts.forms.keys()].at(0)).toBe('201');
});

it('is of the channel in which it was asked for', async () => {
  const { parts, said, reply, asks } = scene();
  await asks('1');
  const submitted = { interaction: { id: '9', token: '' }, form: 'reason:1', typed: 'down', actor: alice, reply };
  await submitForm(parts, { ...submitted, place: { ...place, channel: '3' } } as never); // As above.
  expect(said.join()).toContain('The bot does not have this form');
  expect(parts.forms.has('1')).toBe(true);
});

it('is titled by the command and its servers, and never longer than Discord takes', () => {
  expect(titleOf('/power boot', [])).toBe('/power boot');
  expect(titleOf('/power boot', [{ id: 101, name: 'web-1' }])).toBe('/power boot · web-1');
  expect(titleOf('/power boot', [{ id: 1 }, { id: 2 }])).toBe('/power boot · 2 servers');
  const long = titleOf('/whitelist remove', [{ id: 1, name: `${'x'.repeat(23)}😀y` }]);
  expect(long).toBe(`/whitelist remove · ${'x'.repeat(23)}…`);
  expect(titleOf('/power boot', [{ id: 1, name: 'a\u202e\nb' }])).toBe('/power boot · a b');
});
