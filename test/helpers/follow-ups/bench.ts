import { onTestFinished } from 'vitest';
import { type Card, trusted } from '../../../src/card.ts';
import { type AnnouncerParts, createAnnouncer } from '../../../src/cards/announcer.ts';
import type { Wording } from '../../../src/cards/due.ts';
import type { Messages, Where } from '../../../src/cards/messages.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { type Actor, type End, idAt } from '../../../src/outcome.ts';
import type { NewRunEntry } from '../../../src/runs/entry.ts';
import { invocationOf, numberOf } from '../../../src/runs/ids.ts';
import { quietLog, until } from '../messages.ts';

export const alice: Actor = { id: '1400000000000000001', name: 'alice', roles: [] };
export const bob: Actor = { id: '1400000000000000002', name: 'bob', roles: [] };
export const ops = '1300000000000000001';
export const card = '1500000000000000007';

interface Began {
  follow?: 'restore' | 'power';
  command?: string;
  /** How many servers its command has. */
  width?: number;
  deadline?: number;
}

const stepOf = (run: string, { command = 'backup.restore', width = 1 }: Began) => ({
  run,
  actor: alice,
  command,
  options: { server: Array.from({ length: width }, (_, at) => 101 + at).join(',') },
  server: { id: 100 + numberOf(run) },
  place: { guild: '1', channel: ops, message: card },
});

/** The ledger entries of a run that the panel accepted: intent, outcome and follow-up. */
export function begun(run: string, how: Began = {}): [NewRunEntry[], NewRunEntry[]] {
  const { follow = 'restore', deadline = Date.now() + 3_600_000 } = how;
  const step = stepOf(run, how);
  const started = { follow, job: 9_000 + numberOf(run), deadline: new Date(deadline).toISOString() };
  return [
    [{ ...step, kind: 'intent' }],
    [
      { ...step, kind: 'outcome', outcome: 'accepted' },
      { ...step, kind: 'follow-up', step: 'started', ...started },
    ],
  ];
}

/** Records that a run is followed. */
export async function follow(ledger: Pick<Ledger, 'append'>, run: string, how: Began = {}): Promise<void> {
  for (const entries of begun(run, how)) await ledger.append(entries);
}

/** Who is pinged at the end from now on. */
export const handedOver = (run: string, to: Actor): NewRunEntry => ({
  ...{ ...stepOf(run, {}), kind: 'follow-up', step: 'handed-over', to, options: {} },
});

/** The message that is the card from now on. */
export const moved = (run: string, message: string): NewRunEntry => ({
  ...{ ...stepOf(run, {}), kind: 'follow-up', step: 'moved', options: {} },
  place: { guild: '1', channel: ops, message },
});

/** How a run's follow-up ended. */
export const ended = (run: string, end: End, how: Began = {}): NewRunEntry => ({
  ...{ ...stepOf(run, how), kind: 'follow-up', step: 'ended', end, options: {} },
});

interface Post {
  id: string;
  to: Where;
  text: string;
  pings: readonly string[];
}

/** The messages of one channel. */
export interface Channel extends Pick<Messages, 'find' | 'reply'> {
  posts: Post[];
  /** Awaited before and after each search and post; a rejection is Discord's answer. */
  fault: (when: 'before' | 'after', what: 'find' | 'reply') => Promise<void>;
}

const textOf = ({ run }: Card): string => run ?? '';

export function channel(now = Date.now): Channel {
  const posts: Post[] = [];
  const made: Channel = {
    posts,
    fault: () => Promise.resolve(),
    async find({ message }, shown, pings = []) {
      await made.fault('before', 'find');
      const isIt = (post: Post): boolean =>
        BigInt(post.id) > BigInt(message) && post.text === textOf(shown) && String(post.pings) === String(pings);
      const found = posts.findLast(isIt)?.id;
      await made.fault('after', 'find');
      return found;
    },
    async reply(to, shown, pings = []) {
      await made.fault('before', 'reply');
      const id = String(BigInt(idAt(now())) + BigInt(posts.length));
      posts.push({ id, to: { message: '', ...to }, text: textOf(shown), pings });
      await made.fault('after', 'reply');
      return id;
    },
  };
  return made;
}

const made = (run: string): Card => ({ state: 'finished', command: '/x', body: [trusted('over')], run });

const wording: Wording = {
  beside: (of, id) => made(of === 'end' ? id : `${id} · ${of}`),
  unread: (run, n) => made(`${invocationOf(run)} · reminder ${n}`),
  alert: (open) => made(`alert ${open.length}`),
  shift: ({ name }) => made(`shift ${name}`),
  fired: (id) => made(`alert ${id}`),
  fires: (id) => made(`alert ${id} · ping`),
};

/** A process that announces a ledger's news quickly; closed with the test. */
export function announcing(
  parts: Pick<AnnouncerParts, 'ledger' | 'messages'> & Partial<AnnouncerParts>,
): ReturnType<typeof createAnnouncer> {
  const announcer = createAnnouncer({
    elsewhere: () => [],
    alarm: () => undefined,
    alerting: () => undefined,
    shifts: () => [],
    approvers: () => [],
    thawers: () => [],
    recipients: (news, requester) => (news.length === 0 ? [] : [requester]),
    ...{ wording, readable: () => true, cards: { shown: () => Promise.resolve() }, log: quietLog, now: Date.now },
    ...parts,
    pace: { every: 5, retry: 1, most: 5, ...parts.pace },
  });
  onTestFinished(() => announcer.close());
  return announcer;
}

export const stepsOf = (ledger: Pick<Ledger, 'entries'>, run: string): string[] =>
  ledger
    .entries()
    .slice()
    .flatMap((entry) => (entry.kind === 'follow-up' && entry.run === run ? [entry.step] : []));

/** The same ledger, after the announcer has checked it a few more times. */
export function watched(ledger: Ledger): { ledger: Ledger; looks(): Promise<unknown> } {
  let count = 0;
  const following = (): ReturnType<Ledger['following']> => {
    count += 1;
    return ledger.following();
  };
  return {
    ledger: { ...ledger, following },
    looks() {
      const enough = count + 6;
      return until(() => count >= enough, 'more looks');
    },
  };
}
