import { describe, expect, it } from 'vitest';
import { createEditTracker } from '../../src/discord/edit-tracker.ts';

const message = (content: string, second: number) => ({
  id: '7',
  content,
  embeds: [],
  components: [],
  edited_timestamp: `2026-11-19T22:00:${String(second).padStart(2, '0')}.000000+00:00`,
});
const payload = (content: string) => ({
  ...{ content, embeds: [], components: [], attachments: [] },
  allowed_mentions: { parse: [] },
});

/** A process that edits message 7, which is the card of run r. */
function scene() {
  const calls: string[] = [];
  const shown = createEditTracker((run) => void calls.push(run));
  const edit = (content: string, second: number, meanwhile = (): void => undefined): Promise<void> =>
    shown.track({ id: '7', run: 'r' }, () => {
      meanwhile();
      return Promise.resolve(message(content, second));
    });
  return { calls, shown, edit, told: (content: string, second: number) => shown.onUpdate(message(content, second)) };
}

describe('what a message shows', () => {
  it('is not called back for what this process did, whenever Discord tells of it', async () => {
    const { calls, edit, told } = scene();
    await edit('one', 1);
    told('one', 1);
    await edit('two', 2, () => told('two', 2));
    told('one', 1);
    expect(calls).toEqual([]);
  });

  it('is called back where something else is there since, also while this process edits it', async () => {
    const { calls, edit, told } = scene();
    told('before the first edit of this process', 1);
    await edit('one', 2);
    told('late', 3);
    expect(calls).toEqual(['r']);
    await edit('two', 4, () => told('late', 5));
    expect(calls).toEqual(['r', 'r']);
  });

  it('is left to another process that insists, until this one has something new to show', async () => {
    const { calls, edit, told } = scene();
    for (let second = 1; second < 20; second += 2) {
      await edit('as this release says it', second);
      told('as the other release says it', second + 1);
    }
    expect(calls).toEqual(['r', 'r', 'r']);
    await edit('something new', 30);
    told('as the other release says it', 31);
    expect(calls).toHaveLength(4);
  });

  it('needs no edit where another process has done just that; what is its own is edited as asked', async () => {
    const { calls, edit, told, shown } = scene();
    await edit('one', 1);
    expect(shown.adopt('7', payload('one'))).toBe(false);
    told('two', 2);
    expect(shown.adopt('7', payload('two'))).toBe(true);
    expect(shown.adopt('7', payload('three'))).toBe(false);
    expect(shown.adopt('8', payload('two'))).toBe(false);
    for (const [at, content] of ['three', 'four', 'five', 'six', 'seven'].entries()) {
      told(content, 3 + at);
      expect(shown.adopt('7', payload(content))).toBe(true);
    }
    told('two', 20);
    expect(calls).toHaveLength(7);
  });

  it('is read where that is not known, and called back when it changes from then on', () => {
    const { calls, shown, told } = scene();
    shown.onRead(message('one', 3), 'r');
    expect(shown.adopt('7', payload('one'))).toBe(true);
    told('one', 3);
    expect(calls).toEqual([]);
    told('late', 4);
    expect(calls).toEqual(['r']);
    // That answer is older than what was told.
    shown.onRead(message('one', 3), 'r');
    expect(shown.adopt('7', payload('late'))).toBe(true);
  });

  it('is unknown where Discord answers in another form', async () => {
    const { calls, shown, told } = scene();
    await shown.track({ id: '7', run: 'r' }, () => Promise.resolve('no message'));
    told('two', 2);
    expect(calls).toEqual([]);
  });
});
