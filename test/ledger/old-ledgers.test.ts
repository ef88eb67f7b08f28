import { describe, expect, it } from 'vitest';
import {
  beforeOneWriter,
  bobs,
  changedLines,
  checked,
  firstRelease,
  linesIn,
  type OldLedger,
  oddities,
  openAt,
  openEffect,
  statesIn,
  verified,
} from '../helpers/ledger/old-ledgers.ts';

type Rows<T extends unknown[]> = readonly Readonly<T>[];

interface Left {
  old: OldLedger;
  /** What nobody has brought to its end. */
  open: Rows<[run: string, kind: string, command: string]>;
  following: Rows<[run: string, job: number, notified: string]>;
  unknown: Rows<[run: string, command: string, server: string]>;
  unfollowed: Rows<[run: string, command: string, server: string]>;
  reminders: Rows<[run: string, at: string]>;
  effects: Rows<[effect: string, server: string, since: number]>;
  incidents: Rows<[title: string, notes: number, ended: number | undefined]>;
  /** What stands in the channel that is not as it was posted: the ledger tells of all of it. */
  reported: readonly string[];
  changed: readonly string[];
  messages: number;
  findings: readonly string[];
}

const left: readonly Left[] = [
  {
    old: firstRelease,
    open: [
      ['bweclp8f3oxs.1', 'asked', 'power.restart'],
      ['bweclp8f3oxs.2', 'asked', 'power.restart'],
      ['bweclzqt7ym8.1', 'intent', 'cpu.throttle'],
    ],
    following: [['bweclovsm60w.1', 9006, 'alice']],
    unknown: [['bweclp35beo0.1', 'firewall.flush', 'web-2']],
    unfollowed: [
      ['bwdjdrag6gao.1', 'backup.restore', 'lab-1'],
      ['bweb5eu0rlz4.1', 'backup.restore', 'cache-1'],
    ],
    reminders: [['bweclbqfuv40.1', '2026-11-08T03:29:53.639Z']],
    effects: [
      ['throttle', 'web-2', 25],
      ['unapplied throttle', 'db-2', 37],
      ['whitelist primary 203.0.113.0/28', 'web-2', 57],
      ['firewall-off primary', 'web-1', 146],
      ['down', 'web-3', 149],
    ],
    incidents: [
      ['web-1 does not answer', 1, 106],
      ['db-2 is slow', 0, undefined],
    ],
    reported: [
      'changed #116–#116',
      'ahead #9001–#9004',
      'strange #131–#134',
      'missing #24–#29',
      'missing #117–#117',
      'missing #120–#125',
    ],
    // Edited; and what a person and somebody with the bot's token wrote there.
    changed: ['#116 · 4da38c939360', '', '#9001–#9004 · 0123456789ab', '#131–#134 · abcdef012345'],
    messages: 46,
    findings: [
      '128 deleted by alice',
      '129 edited',
      '130 deleted',
      '133 ahead',
      '136 strange',
      '137 missing',
      '138 deleted by alice',
      '140 reordered',
      '141 changed',
    ],
  },
  {
    old: beforeOneWriter,
    open: [
      ['bzf0qkz5m134.1', 'asked', 'power.restart'],
      ['bzf0qz0a2ubk.1', 'asked', 'firewall.flush'],
      ['bzf0r13eiwow.1', 'intent', 'cpu.throttle'],
    ],
    following: [
      ['byx6eiffljb4.1', 5001, 'bob'],
      ['byx6f260pog0.1', 9001, 'alice'],
      ['byx6fjigbw8w.1', 9002, 'alice'],
      ['byx6g0utg7pc.1', 9003, 'alice'],
      ['byx6g1g92uio.1', 5002, 'bob'],
      ['byx6g1nja6tc.1', 5003, 'bob'],
      ['byx6g1qb64n4.1', 5004, 'alice'],
      ['byx6g5drbrpc.1', 5005, 'bob'],
      ['bzf0qigua70g.1', 5006, 'bob'],
    ],
    unknown: [
      ['byx6f24k9t6o.1', 'cpu.throttle', 'lab-2'],
      ['bx313hand0001.1', 'firewall.flush', 'old-313'],
    ],
    unfollowed: [
      ['bx305hand0001.1', 'cpu.throttle', 'old-305'],
      ['bx310hand0001.1', 'backup.restore', 'old-310'],
      ['bx311hand0001.1', 'backup.restore', 'old-311'],
    ],
    reminders: [['bzf0qjbzim80.1', '2026-12-08T14:25:22.323Z']],
    effects: [
      ['unapplied throttle', 'web-2', 36],
      ['whitelist primary 192.0.2.0/28', 'web-2', 40],
      ['no-rules primary', 'web-2', 76],
      ['no-rules primary', 'web-3', 83],
      ['throttle', 'web-3', 90],
      ['no-rules primary', 'web-1', 160],
      ['firewall-off primary', 'web-1', 192],
      ['throttle', 'old-301', 196],
      ['throttle', 'old-302', 199],
      ['throttle', 'old-305', 212],
      ['whitelist primary 203.0.113.0/28', 'old-312', 238],
    ],
    incidents: [
      ['web-1 does not answer', 1, 162],
      ['db-2 is slow', 0, undefined],
    ],
    reported: ['changed #162–#163', 'missing #155–#157'],
    changed: ['#162–#163 · 74111b8a7c6724167d85aaf5eefecf670c74'],
    messages: 57,
    findings: [
      '167 deleted',
      '169 edited',
      '245 missing',
      '246 changed',
      '247 reordered',
      '248 unvouched',
      '249 deleted by alice',
      '250 edited',
      '251 strange',
      '252 ahead',
      '257 unvouched',
      '258 unvouched',
    ],
  },
];

const named = ({ finding, from, to }: { finding: string; from?: number; to?: number }): string =>
  `${finding} #${from}–#${to}`;

async function strangeIn({ copy, channel }: OldLedger, messages = channel): Promise<string[] | undefined> {
  return (await checked(copy(), messages)).channel?.strange.map(named);
}

describe.each(left)('A ledger of $old.name', ({ old, ...has }) => {
  const { copy, later, last } = old;

  it('verifies over the turn of the month, line for line', () => {
    const dir = copy();
    expect(linesIn(dir)).toHaveLength(last.seq);
    expect(verified(dir)).toEqual({ ok: true, count: last.seq, head: last.hash });
  });

  it('is opened with all that it holds, and is not touched by that', async () => {
    const before = linesIn(copy());
    const { dir, log, entries, head, close } = await openAt(later, copy());
    expect(head()).toEqual(last);
    expect(entries()).toHaveLength(last.seq);
    expect(log.messages).toEqual([]);
    await close();
    expect(linesIn(dir)).toEqual(before);
  });

  it('knows what nobody has brought to its end', async () => {
    const ledger = await openAt(later, copy());
    expect(ledger.open().map(({ run, asked, intent }) => [run, (intent ?? asked)?.kind, (intent ?? asked)?.command]))
      // In the order in which they began.
      .toEqual(has.open);
    expect(ledger.following().map(({ run, followUp }) => [run, followUp?.started.job, followUp?.notify.name])).toEqual(
      has.following,
    );
    for (const which of ['unknown', 'unfollowed'] as const)
      expect(ledger[which]().map(({ run, outcome }) => [run, outcome?.command, outcome?.server?.name])).toEqual(
        has[which],
      );
    expect(ledger.reminders().map(({ run, remind }) => [run, remind])).toEqual(has.reminders);
    expect(ledger.effects().map(openEffect).map(Object.values)).toEqual(has.effects);
    expect(ledger.incidents().map(({ title, notes, ended }) => [title, notes.length, ended?.seq])).toEqual(
      has.incidents,
    );
  });

  it('draws the card of every command, in the state that it had', async () => {
    expect(statesIn(await openAt(later, copy()))).toEqual(old.states);
  });

  it('takes new entries after the old, which stay as they are, byte for byte', async () => {
    const before = linesIn(copy());
    const { dir, append, close } = await openAt(later, copy());
    const [intent] = await append([bobs('bwec00000001.1', { kind: 'intent', opens: ['throttle'] })]);
    expect(intent).toMatchObject({ seq: last.seq + 1, prev: last.hash, time: later });
    await append([bobs('bwec00000001.1', { kind: 'outcome', outcome: 'succeeded' })]);
    await close();
    expect(linesIn(dir).slice(0, last.seq)).toEqual(before);
    expect(verified(dir)).toMatchObject({ ok: true, count: last.seq + 2 });
    const again = await openAt(later, dir);
    const since = last.seq + 2;
    expect(again.effects().map(openEffect).at(-1)).toEqual({ effect: 'throttle', server: 'vpn-1', since });
  });
});

describe.each(left)('The trail of $old.name', ({ old, ...has }) => {
  const { channel, copy, last } = old;

  it('would be posted today as it stands there, byte for byte', () => {
    expect(changedLines(copy(), channel)).toEqual(has.changed);
  });

  it('stands in its channel as it was posted, but for what the ledger tells of already', async () => {
    expect(channel).toHaveLength(has.messages);
    expect(oddities(copy(), channel).map(named)).toEqual(has.reported);
    const { head, channel: found, findings } = await checked(copy(), channel);
    expect(head).toEqual(last);
    expect(found).toMatchObject({ messages: has.messages, strange: [], waiting: 0 });
    const words = findings.map(({ found: { seq, finding, actor, unsaid } }) =>
      [seq, finding, ...(finding === 'deleted' && unsaid !== true ? [`by ${actor.name}`] : [])].join(' '),
    );
    expect(words).toEqual(has.findings);
  });

  it('of which somebody deletes one more message: that is found', async () => {
    const messages = channel.toSpliced(1, 1);
    expect(await strangeIn(old, messages)).toEqual([expect.stringMatching(/^missing #2–/)]);
  });

  it('in which somebody writes another word: that is found', async () => {
    const at = channel.findIndex(({ content }) => content.includes('DENIED'));
    const messages = channel.map((each, n) =>
      n === at ? { ...each, content: each.content.replace('DENIED', 'ALLOWED') } : each,
    );
    expect(await strangeIn(old, messages)).toEqual([expect.stringMatching(/^changed #/)]);
  });
});

it('of the first release: what somebody else wrote in its channel contradicts the ledger for good', async () => {
  const { channel: found, findings } = await checked(firstRelease.copy(), firstRelease.channel);
  expect(found).toMatchObject({ contradiction: { messages: 2, state: 'open' } });
  const spans = found?.contradiction?.spans.map(({ first, last: { to } }) => [first.finding, first.from, to]);
  expect(spans).toEqual([
    ['ahead', 9001, 9004],
    ['strange', 131, 134],
  ]);
  expect(findings.filter(({ acknowledged }) => acknowledged !== undefined)).toEqual([]);
});

it('of the first release: each run knows how it can be taken back, and what took it back', async () => {
  const { runs } = await openAt(firstRelease.later, firstRelease.copy());
  expect(runs('bweclbqfuv40').map(({ undo }) => undo)).toEqual([
    { command: 'firewall.enable', options: { interface: 'primary', server: '101', sync: true } },
  ]);
});
