import type { Entry } from '../../../src/runs/entry.ts';
import type { Message } from '../../../src/trail/channel.ts';
import { entriesFrom, pack, textOf } from '../../../src/view/trail.ts';
import { forms } from '../../../src/view/trail-line.ts';

export type { Message };

/** The ranges of the trail's messages, read as a person reads their last lines. */
export function rangesOf(contents: readonly string[]): [number, number, string][] {
  return contents.map((content) => {
    const [, from, to = from, head] =
      /^#(\d+)(?:–#(\d+))? · ([0-9a-f]{36})$/.exec(content.split('\n').at(-1) ?? '') ?? [];
    return [Number(from), Number(to), head ?? ''];
  });
}

/** The same channel as an older release posted it. */
export const asPostedIn = (form: 1 | 2, messages: readonly Message[], entries: readonly Entry[]): Message[] =>
  messages.map((message) => {
    const [[from, to] = [0, 0]] = rangesOf([message.content]);
    return { ...message, content: textOf(entriesFrom(entries, from, to), forms[form]) ?? '' };
  });

/** What the channel gets when the entries are posted from one on, at most so many at a time. */
export function channelOf(entries: readonly Entry[], atATime: readonly number[] = [], begin = 1): Message[] {
  const messages: Message[] = [];
  for (let from = begin; from <= entries.length; ) {
    const most = atATime[messages.length % Math.max(1, atATime.length)] ?? entries.length;
    const packed = pack(entriesFrom(entries, from, from + most - 1));
    if (packed === undefined) throw new Error('nothing was packed');
    messages.push({ id: String(1000 + messages.length), content: packed.text, edited: false, own: true });
    from = packed.to + 1;
  }
  return messages;
}
