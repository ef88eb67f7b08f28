import { expect, it, onTestFinished } from 'vitest';
import { keepPins, type PinnedMessages } from '../../src/handover/pin.ts';
import { notes, openLedger } from '../helpers/ledger/samples.ts';
import { until } from '../helpers/messages.ts';

it('A message that takes the place of one that is too old is posted once, also where it cannot be pinned', async () => {
  const ledger = await openLedger();
  const posts = ['**Handover** · open: 1 open question.'];
  let turns = 0;
  const messages: PinnedMessages = {
    find: () => Promise.resolve({ message: String(posts.length), pinned: false, text: posts.at(-1) ?? '' }),
    post: (_channel, text) => Promise.resolve(String(posts.push(text))),
    edit: () => Promise.resolve('too-old'),
    pin: () => Promise.reject(new Error('Maximum number of pins reached for the channel (50)')),
    unpin: () => Promise.resolve(),
  };
  const channels = (): string[] => {
    turns += 1;
    return ['1'];
  };
  const pins = keepPins({ ledger, messages, channels, every: 5, now: Date.now, log: notes() });
  onTestFinished(() => pins.close());
  await until(() => turns > 30, 'more turns');
  expect(posts).toHaveLength(2);
});
