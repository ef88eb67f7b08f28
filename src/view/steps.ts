import { list, type Markup, md, quote, trusted } from '../card.ts';
import { type FollowStep, type Kind, type RunEntry, type Step, timesOf } from '../runs/entry.ts';
import { effectWords, isEmpty, longest, messageOf, ofDenied, rulesOf, ways, why } from './entry-details.ts';
import { person, says, type Wording } from './formatter.ts';
import { asCode, isPerson, nameAsCode, typedOptions } from './words.ts';

const happened = ({ happened: isSo, running }: Kind<'resolved'>, not: string): string => {
  if (running === true) return 'it is running';
  return isSo ? 'it happened' : not;
};

const isDropped = ({ place }: RunEntry): boolean => place.message === undefined;

/** A row for each step of a run. */
export const steps: { readonly [K in Exclude<RunEntry['kind'], 'follow-up'>]: Wording<Kind<K>> } = {
  requested: {
    title: says('ASKED OTHERS'),
    isTyped: true,
    details: ({ actor, expires }, { person: named, time }) => [
      md`Asked by ${named(actor)}, who may not run it. Runs out ${time(expires)}.`,
    ],
    stands: says('**asked others who may**, and nobody has taken it on yet'),
    waits: 'asked others, and not taken on yet',
  },
  asked: {
    title: ({ glass }) => (glass === undefined ? 'QUESTION' : 'BREAK-GLASS QUESTION'),
    isTyped: true,
    wrote: ({ glass }) => [glass],
    details: ({ facts, typed, glass, expires, rest, run }, { time, server }) => [
      ...(glass === undefined ? [] : [md`**Break-glass**: ${glass}`]),
      ...(facts === undefined || isEmpty(facts)
        ? []
        : [md`Read for the question: ${quote(typedOptions(facts), longest.facts)}.`]),
      ...(typed === undefined ? [] : [md`To confirm, ${quote(typed)} is typed.`]),
      ...(rest === undefined
        ? []
        : [md`Then, one after the other: ${list(rest.split(',').map((id) => quote(server(id, run) ?? id)))}.`]),
      md`Runs out ${time(expires)}.`,
    ],
    stands: says('**asked**, and not confirmed yet'),
    waits: 'waiting for Confirm',
  },
  confirmed: {
    title: says('CONFIRMED'),
    details: ({ actor, until }, { person: named, time }) => [
      md`Confirmed by ${named(actor)}.`,
      ...(until === undefined ? [] : [md`Waits for an approval until ${time(until)}.`]),
    ],
    stands: ({ actor }) => `**confirmed** by ${nameAsCode(actor)}, and not sent yet`,
    waits: 'confirmed and not sent yet',
  },
  approved: {
    title: says('APPROVED'),
    details: ({ actor }, { person: named }) => [md`Approved by ${named(actor)}.`],
    stands: ({ actor }) => `**approved** by ${nameAsCode(actor)}, and not sent yet`,
    waits: 'confirmed and not sent yet',
    tells: ({ actor }, what) => `${nameAsCode(actor)} approved ${what}.`,
  },
  called: {
    // By a person: whom a freeze stopped.
    title: ({ actor }) => (isPerson(actor) ? 'ASKED FOR A THAW' : 'OTHERS PINGED'),
    details: messageOf,
  },
  intent: {
    // It is recorded before the request is sent, and the run may end without sending it.
    title: says('SENDING'),
    isTyped: true,
    details: ({ opens = [], closes = [], kept }) => [
      ...(kept === undefined
        ? []
        : [md`Right before it: ${rulesOf(kept)}${trusted(kept.rules === undefined ? ', too large to keep' : '')}.`]),
      ...(opens.length === 0 ? [] : [md`Leaves open: ${list(opens.map(effectWords))}.`]),
      ...(closes.length === 0 ? [] : [md`Closes, where it was open: ${list(closes.map(effectWords))}.`]),
    ],
    stands: says('**sent**, and not answered yet'),
    waits: 'sent and not answered yet',
  },
  outcome: {
    title: ({ outcome }) => outcome.toUpperCase(),
    wrote: ({ reason, said }) => [reason, said || undefined],
    details: (entry, format) => [...why(entry, format, entry.reason), ...ways(entry, format)],
  },
  denied: {
    title: (entry) => `DENIED${timesOf(entry) === 1 ? '' : ` ×${timesOf(entry)}`}`,
    wrote: ({ said }) => [said || undefined],
    details: (entry, format) => [
      ...ofDenied(entry, format),
      ...why(entry, format, entry.reason),
      ...ways(entry, format),
    ],
  },
  'read-back': { title: says('READ BACK'), details: ({ rules }) => [md`Right after it: ${rulesOf(rules)}.`] },
  resolved: {
    title: says('RESOLVED'),
    more: (entry) => trusted(happened(entry, 'it did not')),
    wrote: ({ why: how }) => [how],
    details: (entry, format) => [
      ...ways(entry, format),
      trusted(entry.running ? 'It is under way.' : entry.happened ? 'It happened.' : 'It did not happen.'),
      md`How they know: ${entry.why}`,
    ],
    tells: (entry, what) =>
      `${nameAsCode(entry.actor)} says of ${what}: **${happened(entry, 'it did not happen')}**: ${asCode(entry.why)}.`,
  },
  reviewed: {
    title: says('REVIEWED'),
    wrote: ({ why: found }) => [found],
    details: ({ actor, why: found }, { person: named }) => [md`Reviewed by ${named(actor)}: ${found}`],
    tells: ({ actor, why: found }, what) =>
      `${nameAsCode(actor)} reviewed the break-glass of ${what}: ${asCode(found)}.`,
  },
  reminded: {
    title: (entry) => (isDropped(entry) ? 'REMINDER DROPPED' : 'REMINDED'),
    more: (entry) => (isDropped(entry) ? trusted('nobody was pinged') : undefined),
    details: (entry, format) => (isDropped(entry) ? [trusted('It was undone by then.')] : messageOf(entry, format)),
  },
  pinged: { title: says('PINGED'), details: messageOf },
};

const jobOf = ({ follow, job }: Kind<'follow-up'>): Markup[] =>
  follow === undefined || job === undefined
    ? []
    : [md`${trusted(follow === 'restore' ? 'Restore job' : 'Queue item')} ${quote(String(job))}.`];

/** A row for each step of watching a job. */
export const followUpSteps: { readonly [S in FollowStep]: Wording<Step<S>> } = {
  started: {
    title: says('FOLLOWING'),
    details: (entry, format) => [
      ...jobOf(entry),
      md`Until ${format.time(entry.deadline)} at the latest.`,
      ...messageOf(entry, format),
    ],
  },
  moved: { title: says('CARD MOVED'), details: (entry, format) => [...jobOf(entry), ...messageOf(entry, format)] },
  'handed-over': {
    title: says('HANDED OVER'),
    more: ({ to }) => md`to ${person(to)}`,
    details: (entry, format) => [...jobOf(entry), md`To ${format.person(entry.to)}.`, ...messageOf(entry, format)],
  },
  reminded: {
    title: says('REMINDED'),
    details: (entry, format) => [...jobOf(entry), md`Reminder ${entry.n}.`, ...messageOf(entry, format)],
  },
  ended: {
    title: ({ end }) => end.toUpperCase(),
    more: ({ by }) => by && md`says ${person(by)}`,
    wrote: ({ said }) => [said || undefined],
    details: (entry, format) => [
      ...why(entry, format),
      ...jobOf(entry),
      ...(entry.by === undefined ? [] : [md`Says ${format.person(entry.by)}.`]),
      ...messageOf(entry, format),
    ],
  },
  announced: {
    title: says('ANNOUNCED'),
    // A stopped follow-up has no message; and with several servers, only the last to end has one.
    details: (entry, format) => [
      ...jobOf(entry),
      ...(entry.place.message === undefined ? [trusted('Without a message of its own.')] : []),
      ...messageOf(entry, format),
    ],
  },
};
