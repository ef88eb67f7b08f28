import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/runs/entry.ts';
import type { Message } from '../../src/trail/channel.ts';
import { compare } from '../../src/trail/compare.ts';
import { unreported } from '../../src/trail/reported.ts';
import { anyEntries, chain, denial } from '../helpers/record/entries.ts';
import { asPostedIn, channelOf, rangesOf } from '../helpers/trail/ranges.ts';
import { tries } from '../helpers/tries.ts';

/** A ledger and its channel, of at least three messages. */
const scene = fc
  .tuple(anyEntries(40, 9), fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }))
  .map(([entries, atATime]) => ({ entries, channel: channelOf(entries, atATime) }));

const about = (numRuns: number) => ({ numRuns: tries(numRuns) });
const index = fc.nat({ max: 1_000 });
const found = (messages: readonly Message[], entries: readonly Entry[], begin = 1) =>
  compare(messages, entries, begin).map(({ finding }) => finding);

describe('a channel as it was posted', () => {
  it('is in order, read whole or in part, with what other people and the bot say between the lines', () => {
    fc.assert(
      fc.property(scene, index, ({ entries, channel }, at) => {
        const said = { id: '1', content: 'nice trail\n#1–#2 · 0123456789ab', edited: true, own: false };
        const card = { id: '2', content: 'SUCCEEDED /help', edited: true, own: true };
        const busy = channel.flatMap((message) => [said, message, card]);
        expect(compare(busy, entries, 1)).toEqual([]);
        expect(compare(channel.slice(at % channel.length), entries)).toEqual([]);
      }),
      about(100),
    );
  });

  it.each([
    ['an earlier release kept what is no character', (text: string) => text.replaceAll('\ufffd', '\ue000')],
    ['Discord left that out', (text: string) => text.replaceAll('\ufffd', '')],
    ['Discord left out all combining marks', (text: string) => text.replaceAll(/\p{M}/gu, '')],
  ])('is in order where %s', (_what, stored) => {
    fc.assert(
      fc.property(scene, ({ entries, channel }) => {
        const old = channel.map((message) => ({ ...message, content: stored(message.content) }));
        expect(compare(old, entries, 1)).toEqual([]);
      }),
      about(100),
    );
  });

  it('is in order where older releases posted a part of it, in their lines', () => {
    fc.assert(
      fc.property(scene, index, index, ({ entries, channel }, a, b) => {
        const [first, second] = [a % channel.length, b % channel.length].toSorted((one, other) => one - other);
        const old = [
          ...asPostedIn(1, channel.slice(0, first), entries),
          ...asPostedIn(2, channel.slice(first, second), entries),
          ...channel.slice(second),
        ];
        expect(compare(old, entries, 1)).toEqual([]);
      }),
      about(100),
    );
  });

  it('is in order when lines were deleted at its end and posted again, also in other company', () => {
    fc.assert(
      fc.property(scene, index, ({ entries, channel }, at) => {
        const kept = channel.slice(0, at % channel.length);
        const [[, last] = [0, 0]] = rangesOf(kept.slice(-1).map(({ content }) => content));
        expect(compare([...kept, ...channelOf(entries, [], last + 1)], entries, 1)).toEqual([]);
      }),
      about(100),
    );
  });
});

describe('any single change of the channel', () => {
  it('is found when a message in the middle is gone, with the entries that it stood for', () => {
    fc.assert(
      fc.property(scene, index, ({ entries, channel }, at) => {
        const gone = at % (channel.length - 1);
        const [, from, to = from] = /#(\d+)(?:–#(\d+))? · .*$/.exec(channel[gone]?.content ?? '') ?? [];
        expect(compare(channel.toSpliced(gone, 1), entries, 1)).toEqual([
          { finding: 'missing', message: channel[gone + 1]?.id, from: Number(from), to: Number(to) },
        ]);
      }),
      about(200),
    );
  });

  it('is found when one character is another, or Discord says that it was edited', () => {
    fc.assert(
      fc.property(scene, index, index, ({ entries, channel }, at, where) => {
        const message = channel[at % channel.length];
        if (message === undefined) return;
        const { content } = message;
        const place = where % content.length;
        const other = content[place] === 'x' ? 'y' : 'x';
        const changed = { ...message, content: content.slice(0, place) + other + content.slice(place + 1) };
        const last = at % channel.length === channel.length - 1;
        const others = channel.with(at % channel.length, changed);
        // Of the newest message, a last line that is none any more leaves nothing: its lines are posted again.
        if (!last || /(?:^|\n)#\d+(?:–#\d+)? · [0-9a-f]{36}$/.test(changed.content))
          expect(found(others, entries)).not.toEqual([]);
        const edited = channel.with(at % channel.length, { ...message, edited: true });
        expect(found(edited, entries)).toEqual(['changed']);
      }),
      about(300),
    );
  });

  it('is found when two messages have changed places', () => {
    fc.assert(
      fc.property(scene, index, index, ({ entries, channel }, one, other) => {
        const [a, b] = [one % channel.length, other % channel.length];
        const [first, second] = [channel[a], channel[b]];
        if (a === b || first === undefined || second === undefined) return;
        const swapped = channel.with(a, second).with(b, first);
        expect(found(swapped, entries)).toContain('reordered');
        expect(compare(swapped, entries).map(({ finding }) => finding)).toContain('reordered');
      }),
      about(200),
    );
  });
});

describe('any single change of the ledger', () => {
  it('is found when it was cut off at the end', () => {
    fc.assert(
      fc.property(scene, index, ({ entries, channel }, at) => {
        expect(found(channel, entries.slice(0, at % entries.length))).toContain('ahead');
      }),
      about(200),
    );
  });

  it('is found when it was rewritten, with a chain that is sound', () => {
    fc.assert(
      fc.property(scene, index, ({ entries, channel }, at) => {
        const bare = entries.map(({ seq: _s, time: _t, prev: _p, hash: _h, ...entry }) => entry);
        const mallory = denial({ id: '1400000000000000004', name: `mallory ${at}` });
        // What is left of an entry without its links is an entry.
        const rewritten = chain(bare.with(at % bare.length, mallory) as Parameters<typeof chain>[0]);
        expect(found(channel, rewritten)).not.toEqual([]);
      }),
      about(200),
    );
  });
});

describe('what the ledger reports already', () => {
  const five = chain(Array.from({ length: 5 }, () => denial({ id: '1400000000000000004', name: 'mallory' })));
  const bot = { id: '1000000000000000001', name: 'panelops', roles: [] };
  const channel = channelOf(five, [1]);
  const audit = '1300000000000000002';
  const tampered = { kind: 'tampered' as const, actor: bot, channel: audit };

  it('is not reported again: each deletion by itself, or the gap that they left', () => {
    const left = channel.toSpliced(1, 2);
    const gap = { finding: 'missing', message: '1003', from: 2, to: 3 };
    const found = compare(left, five);
    expect(unreported(found, five, audit)).toEqual([gap]);
    const bare = five.map(({ seq: _s, time: _t, prev: _p, hash: _h, ...entry }) => entry);
    const deletions = [2, 3].map((seq) => ({
      ...tampered,
      finding: 'deleted' as const,
      message: '1',
      from: seq,
      to: seq,
    }));
    const half = chain([...bare, ...deletions.slice(0, 1)] as Parameters<typeof chain>[0]);
    // Who deleted the one is not said of the other.
    expect(unreported(compare(left, half), half, audit)).toEqual([{ ...gap, from: 3 }]);
    expect(unreported(compare(left, half), half, '1300000000000000001')).toEqual([gap]);
    const whole = chain([...bare, ...deletions] as Parameters<typeof chain>[0]);
    expect(unreported(compare(left, whole), whole, audit)).toEqual([]);
  });

  it('is not reported again of a message, whatever was found first', () => {
    const edited = channel.with(2, { id: '1002', content: `${channel[2]?.content}`, edited: true, own: true });
    const found = compare(edited, five);
    expect(unreported(found, five, audit)).toEqual([{ finding: 'changed', message: '1002', from: 3, to: 3 }]);
    const bare = five.map(({ seq: _s, time: _t, prev: _p, hash: _h, ...entry }) => entry);
    const told = { ...tampered, finding: 'edited' as const, message: '1002', from: 3, to: 3 };
    const after = chain([...bare, told] as Parameters<typeof chain>[0]);
    expect(unreported(found, after, audit)).toEqual([]);
  });
});
