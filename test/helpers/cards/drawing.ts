import { describe, expect, test } from 'vitest';
import { knownOf } from '../../../src/cards/draw.ts';
import { type JobLook, render } from '../../../src/cards/render/index.ts';
import { genesis } from '../../../src/ledger/chain.ts';
import { openBook } from '../../../src/runs/book.ts';
import type { Entry, NewRunEntry } from '../../../src/runs/entry.ts';
import { seal } from '../ledger/seal.ts';
import * as story from './story.ts';

/**
 * What any card looks like after any history. `history` is what the ledger holds, oldest first, a minute between each two entries;
 * the lines are all that a person sees: the headline, the text, the buttons, and the run.
 */

const { bob, confirms, ends, follows, sends, typed } = story;

/** What is appended, or made from what is there: a confirmation names the hash of its question. */
export type Step = NewRunEntry | ((entries: readonly Entry[]) => NewRunEntry);

export function drawing(history: readonly Step[], looks: Record<string, JobLook>) {
  const book = openBook();
  let { hash } = genesis;
  for (const [at, step] of history.entries()) {
    const entry = typeof step === 'function' ? step(book.records.entries().slice()) : step;
    const sealed = seal(entry, at + 1, new Date(story.start + at * story.minute).toISOString(), hash);
    book.add(sealed);
    hash = sealed.hash;
  }
  const parts = story.drawParts(book.records);
  const seen = new Map(Object.entries(looks));
  return { parts, known: (id: string) => knownOf(parts, id, undefined, seen) };
}

/** The card of that invocation; `looks`: the last looks at its jobs. */
export function cardOf(id: string, history: readonly Step[], looks: Record<string, JobLook> = {}): string[] {
  const { parts, known } = drawing(history, looks);
  const all = known(id);
  return all === undefined ? ['no card'] : story.textOf(render(all, parts));
}
export const confirmed =
  (of: story.Typed, n = 1): Step =>
  (entries) =>
    confirms(of, entries.find(({ kind }) => kind === 'asked')?.hash ?? '', n);

const reason = 'customer asked';
export const flush = typed('flush', '/firewall flush server:101 interface:primary sync:yes', { reason });
export const off = typed('off', '/firewall disable server:101 interface:primary sync:yes');
export const offAgain = typed('again', '/firewall disable server:101 interface:primary sync:yes', { by: bob, reason });
export const offSecond = typed('second', '/firewall disable server:102 interface:primary sync:yes', { by: bob });
export const stored = typed('stored', '/firewall disable server:101 interface:primary sync:no');
export const offBoth = typed('offboth', '/firewall disable server:101,102 interface:primary sync:yes');
export const on = typed('on', '/firewall enable server:101 interface:primary sync:yes', { by: bob });
export const sync = typed('sync', '/firewall sync server:101 interface:primary', { by: bob });
export const half = typed('half', '/cpu throttle server:101 percent:50 sync:yes');
export const fifth = typed('fifth', '/cpu throttle server:101 percent:20 sync:yes', { by: bob });
export const shutdownAll = typed('downall', '/power shutdown server:101,102,201');
export const restore = typed('restore', '/backup restore server:101 disks:0');

export const undo = (server: number) => ({
  undo: { command: 'firewall.enable', options: { server: String(server), interface: 'primary', sync: true } },
});
/** What an accepted disable records. */
export const done = (server: number) => ({ detail: 'Primary interface: the firewall is disabled.', ...undo(server) });
export const waits = 'Primary interface: stored, not applied. The running server is as it was.';
export const question = {
  says: ['All firewall rules of web-1 (101), primary interface, will be removed.', '4 rules are set now.'],
};
export const running = [
  sends(restore),
  ends(restore, 'accepted', 1, { detail: 'The panel started the restore as job 17. Started is not finished.' }),
  follows(restore, 17),
];

interface Case {
  title: string;
  of: string;
  history: readonly Step[];
  looks?: Record<string, JobLook>;
  /** Who stands below it, if not alice, who typed it. */
  signed?: string;
  hasDetails?: false;
  /** Without that, the button Details, and the run, which are the same on each. */
  card: readonly string[];
}

const signature = (of: string): string => `${of === flush.id ? `Reason: \`${reason}\` · ` : ''}By <@${story.alice.id}>`;

/** One test for each case. */
export function describeCards(name: string, cases: readonly Case[]): void {
  describe(name, () => {
    test.each(cases)('$title', ({ of, history, looks, signed = signature(of), hasDetails = true, card }) => {
      const at = card.findIndex((line) => /^\[.+\] \S+$/.test(line));
      const [text, buttons] = at === -1 ? [card, []] : [card.slice(0, at), card.slice(at)];
      const details = hasDetails ? [`[Details] details:${of}`] : [];
      expect(cardOf(of, history, looks)).toEqual([...text, signed, ...buttons, ...details, `run ${of}`]);
    });
  });
}
