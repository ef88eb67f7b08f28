import { type Button, type Card, joined, type Markup, md, moment, own, quote, serverLabel } from '../card.ts';
import type { RunEntry } from '../ledger/entry.ts';
import type { End } from '../outcome.ts';
import { botActor, type FollowUp } from './follow-up.ts';
import { blindAfter, type Seen } from './seen.ts';

const barWidth = 10;
export const nothing: Offers = { body: [], buttons: [] };

const base = ({ command, server, stem }: FollowUp): Pick<Card, 'command' | 'subject' | 'run'> => ({
  command: `/${command.replace('.', ' ')}`,
  subject: serverLabel(server),
  run: stem,
});

const what = ({ follow, job }: FollowUp): Markup =>
  own(follow === 'restore' ? `Restore job ${job}` : `Queue item ${job}`);
const by = ({ requester, notify }: FollowUp): Markup =>
  requester.id === notify.id
    ? own(`By <@${requester.id}>.`)
    : own(`By <@${requester.id}>, handed over to <@${notify.id}>.`);
const because = ({ reason }: FollowUp): Markup[] => (reason === undefined ? [] : [md`Reason: ${reason}`]);

/** What can still be done about the runs of a card, and what became of them since. */
export type Offers = Pick<Card, 'body'> & { buttons: readonly Button[] };

/** `known`: what the panel's job read can tell; without it the card says that nothing can be told. */
export function runningCard(
  followUp: FollowUp,
  known: Seen | 'no-read',
  first: readonly Button[],
  offers: Offers = nothing,
): Card {
  const buttons = [...first, ...offers.buttons];
  const story = known === 'no-read' ? unreadable(followUp) : readable(followUp, known);
  return {
    ...base(followUp),
    state: 'accepted',
    body: [
      ...story,
      md`Started ${moment(followUp.started)}.`,
      ...offerOf(buttons),
      ...offers.body,
      ...because(followUp),
      by(followUp),
    ],
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

/** What a button on the card that cuts the power means. */
export const offerOf = (buttons: readonly Button[]): Markup[] =>
  buttons.some(({ label }) => label === 'Power off')
    ? [own('The shutdown takes long. Power off asks whether to cut the power: what is not on the disks yet is lost.')]
    : [];

const unreadable = (followUp: FollowUp): Markup[] => [
  md`${what(followUp)} was started. The panel offers no way to read it, so this card cannot know how it goes.`,
  own('Look in the panel, and press what you see. Reminders come until then, more and more seldom.'),
];

function readable(followUp: FollowUp, seen: Seen): Markup[] {
  const { word, progress, message, newsAt, at, failures } = seen;
  if (failures >= blindAfter)
    return [
      md`${what(followUp)}: **cannot see it since** ${moment(at ?? followUp.started)}. ${lastState(seen)}.`,
      own(
        'The bot goes on trying; not seen is not failed. Look in the panel; if this stays so, also at the policy of the bot.',
      ),
    ];
  if (word === undefined) return [md`${what(followUp)} was started. The bot looks at it until it ends.`];
  return [
    md`${what(followUp)}: ${quote(word, 40)}`,
    ...(progress === undefined ? [] : [bar(progress)]),
    ...(message === undefined ? [] : [md`The panel says: ${message}`]),
    ...(newsAt === undefined ? [] : [md`First seen so ${moment(newsAt)}.`]),
  ];
}

/** What the last look that worked saw, and when. */
export const lastSeen = (seen: Seen): Markup =>
  seen.at === undefined ? md`${lastState(seen)}.` : md`${lastState(seen)}, ${moment(seen.at)}.`;

function lastState({ word, progress }: Seen): Markup {
  if (word === undefined) return own('It was never seen');
  return md`Last seen: ${quote(word, 40)}${own(progress === undefined ? '' : `, ${percent(progress)}`)}`;
}

const percent = (progress: number): string => `${Math.floor(progress)} %`;

function bar(progress: number): Markup {
  const full = Math.floor((progress / 100) * barWidth);
  return own(`\`${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${percent(progress)}\``);
}

/** How long something took, in words: "2 h 5 min", "40 s". */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([n]) => n > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}

/** How long it was followed. */
export const took = (started: number, ended: RunEntry): Markup => own(duration(Date.parse(ended.time) - started));

/** How it ended, in a sentence or two. */
function ending(followUp: FollowUp, ended: RunEntry): Markup {
  const after = took(followUp.started, ended);
  const end: End = ended.end ?? 'unknown';
  const person = ended.actor.id === botActor.id ? undefined : ended.actor;
  if (end === 'stopped')
    return person === undefined
      ? md`${what(followUp)} was accepted. The panel offers no way to read its queue, so this card cannot know when it is done: look in the panel.`
      : md`${person.name} stopped following ${what(followUp)}. This card cannot know what becomes of it: look in the panel.`;
  if (end === 'unknown')
    return md`${what(followUp)} was **not seen to finish** within ${after}. ${lastWords(ended)}${own(followUp.happened === undefined ? ' It may still run: look in the panel.' : '')}`;
  if (person !== undefined) return md`${person.name} says: ${what(followUp)} **${own(end)}**, after ${after}.`;
  return md`${what(followUp)} **${own(end)}**, seen after ${after}.`;
}

/** Markup of ours, as it was recorded. */
export const lastWords = ({ detail }: RunEntry): Markup => own(detail ?? '');

/** What a card's first word says of an end: to stop following does not stop what is followed. */
export const wordOf = ({ end = 'unknown' }: Pick<RunEntry, 'end'>): 'accepted' | Exclude<End, 'stopped'> =>
  end === 'stopped' ? 'accepted' : end;

const said = (ended: RunEntry): Markup[] => (ended.said === undefined ? [] : [md`The panel says: ${ended.said}`]);

/** The card of a follow-up that is over. */
export const endedCard = (followUp: FollowUp, ended: RunEntry, offers: Offers = nothing): Card => ({
  ...announcement(followUp, ended),
  ...(followUp.happened === undefined
    ? {}
    : {
        subject: md`${serverLabel(followUp.server)}: ${own(followUp.happened ? 'it happened' : 'it did not happen')}`,
      }),
  body: [ending(followUp, ended), ...said(ended), ...offers.body, ...because(followUp), by(followUp)],
  ...(offers.buttons.length === 0 ? {} : { buttons: offers.buttons }),
});

/** The one message that pings. */
export const announcement = (followUp: FollowUp, ended: RunEntry): Card => ({
  ...base(followUp),
  state: wordOf(ended),
  body: [ending(followUp, ended), ...said(ended)],
});

/** A reminder pings nobody. It is told from others by its number. */
export const reminder = (followUp: FollowUp, n: number): Card => ({
  ...base(followUp),
  state: 'accepted',
  run: `${followUp.stem} · reminder ${n}`,
  body: [
    joined(
      [
        md`${what(followUp)} was started ${moment(followUp.started)}, and nobody has said how it ended.`,
        own('Look in the panel, and press what you see on its card.'),
      ],
      ' ',
    ),
  ],
});
