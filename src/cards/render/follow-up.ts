import { type Button, type Card, joined, type Markup, md, moment, quote, trusted } from '../../card.ts';
import type { Actor } from '../../outcome.ts';
import type { Step } from '../../runs/entry.ts';
import { begunAt } from '../../runs/follow-up.ts';
import { invocationOf } from '../../runs/ids.ts';
import { type FollowUpState, mayStillRun, type RunState } from '../../runs/state.ts';
import { button } from '../buttons.ts';
import type { Drawing, JobLook, Known, Offer, Offers } from './known.ts';
import { endButtons } from './offers.ts';
import { resolvedBase, wordOf } from './outcome.ts';
import { base, signature } from './parts.ts';

/** A run of which a job is followed. */
export type Followed = RunState & { followUp: FollowUpState };

export const isFollowed = (state: RunState): state is Followed => state.followUp !== undefined;

const barWidth = 10;

/** The card of one run whose job is followed, or was. */
export function followedCard(known: Known, state: Followed, drawing: Drawing, offers: Offers): Card {
  return state.followUp.ended === undefined
    ? runningCard(known, state, drawing, offers)
    : jobEndedCard(known, state, state.followUp.ended, offers);
}

function runningCard(known: Known, state: Followed, drawing: Drawing, offers: Offers): Card {
  const { started } = state.followUp;
  const look = known.looks.get(state.run);
  const stuck = stuckOffer(known, drawing);
  return {
    ...base(known),
    state: 'accepted',
    body: [
      ...(look === 'no-read' ? unreadable(started) : readable(started, look ?? {})),
      md`Started ${moment(begunAt(state, started))}.`,
      ...stuck.body,
      ...offers.body,
      ...signature(known),
    ],
    buttons: [...(look === 'no-read' ? handButtons(state) : stuck.buttons), ...offers.buttons],
  };
}

/** A job of these runs takes longer than usual: what its command says can be done about that. */
export function stuckOffer({ invocationId, command: id, looks }: Known, { command }: Pick<Drawing, 'command'>): Offer {
  const stuck = command(id)?.ifStuck;
  const isLate = [...looks.values()].some((look) => look !== 'no-read' && look.late === true);
  if (stuck === undefined || !isLate) return { body: [], buttons: [] };
  return { body: [stuck.says], buttons: [button(stuck.label, 'off', invocationId)] };
}

const handButtons = (state: RunState): Button[] => [
  ...endButtons(state),
  button('Stop following', 'follow', `${state.run}:stopped`),
];

function what({ follow, job }: Step<'started'>): Markup {
  if (job === undefined) return trusted(follow === 'restore' ? 'The restore' : 'The queue item');
  return trusted(follow === 'restore' ? `Restore job ${job}` : `Queue item ${job}`);
}

const unreadable = (started: Step<'started'>): Markup[] => [
  md`${what(started)} was started. ${trusted(started.job === undefined ? 'Nobody knows the id of its job' : 'The panel offers no way to read it')}, so this card cannot know how it goes.`,
  trusted('Look in the panel, and press what you see. Reminders come until then, more and more seldom.'),
];

function readable(started: Step<'started'>, look: Exclude<JobLook, 'no-read'>): Markup[] {
  const { word, progress, message, newsAt, at, since, blind } = look;
  if (blind === true)
    return [
      md`${what(started)}: **cannot see it since** ${moment(at ?? since ?? Date.parse(started.time))}. ${lastState(look)}.`,
      trusted(
        'The bot goes on trying; not seen is not failed. Look in the panel; if this stays so, also at the policy of the bot.',
      ),
    ];
  if (word === undefined) return [md`${what(started)} was started. The bot looks at it until it ends.`];
  return [
    md`${what(started)}: ${quote(word, 40)}`,
    ...(progress === undefined ? [] : [bar(progress)]),
    ...(message === undefined ? [] : [md`The panel says: ${message}`]),
    ...(newsAt === undefined ? [] : [md`First seen so ${moment(newsAt)}.`]),
  ];
}

/** What the last look that worked saw, and when. */
export const lastSeen = (look: Exclude<JobLook, 'no-read'>): Markup =>
  look.at === undefined ? md`${lastState(look)}.` : md`${lastState(look)}, ${moment(look.at)}.`;

function lastState({ word, progress, since }: Exclude<JobLook, 'no-read'>): Markup {
  if (word === undefined && since !== undefined) return notSeenSince(since);
  if (word === undefined) return trusted('It was never seen');
  return md`Last seen: ${quote(word, 40)}${trusted(progress === undefined ? '' : `, ${percent(progress)}`)}`;
}

/** What a process that is no more saw may be lost with its Redis. */
const notSeenSince = (ms: number): Markup =>
  md`It has not been seen since the bot began to watch it again, ${moment(ms)}`;

const percent = (progress: number): string => `${Math.floor(progress)} %`;

function bar(progress: number): Markup {
  const full = Math.floor((progress / 100) * barWidth);
  return trusted(`\`${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${percent(progress)}\``);
}

/** How long something took, in words: "2 h 5 min", "40 s". */
function duration(ms: number): string {
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
export const took = (state: Followed): Markup => {
  const { started, ended } = state.followUp;
  return trusted(duration(Date.parse((ended ?? started).time) - begunAt(state, started)));
};

/** Markup of ours, as it was recorded. */
export const detailOf = ({ detail }: Step<'ended'>): Markup => trusted(detail ?? '');

/** Who said how it ended, where that is a person. The bot itself has the id 0. */
const personOf = ({ actor }: Step<'ended'>): Actor | undefined => (actor.id === '0' ? undefined : actor);

/** How it ended, in a sentence or two. */
function ending(state: Followed, ended: Step<'ended'>): Markup {
  const { started } = state.followUp;
  const after = took(state);
  const mayRun = trusted(mayStillRun(state) ? ' It may still run: look in the panel.' : '');
  const person = personOf(ended);
  if (ended.end === 'stopped')
    return person === undefined
      ? md`${what(started)} was accepted. The panel offers no way to read its queue, so this card cannot know when it is done: look in the panel.`
      : md`${what(started)} is not followed any more: ${person.name} stopped that.${mayRun}`;
  if (ended.end === 'unknown')
    return md`${what(started)} was **not seen to finish** within ${after}. ${detailOf(ended)}${mayRun}`;
  if (person !== undefined) return md`${person.name} says: ${what(started)} **${trusted(ended.end)}**, after ${after}.`;
  return md`${what(started)} **${trusted(ended.end)}**, seen after ${after}.`;
}

const said = (ended: Step<'ended'>): Markup[] => (ended.said === undefined ? [] : [md`The panel says: ${ended.said}`]);

const jobEndedCard = (known: Known, state: Followed, ended: Step<'ended'>, offers: Offers): Card => ({
  ...resolvedBase(known),
  state: wordOf(state),
  body: [ending(state, ended), ...said(ended), ...offers.body, ...signature(known)],
  buttons: offers.buttons,
});

/** The one message that pings. */
export const jobAnnouncement = (known: Known, state: Followed, ended: Step<'ended'>): Card => ({
  ...base(known),
  state: wordOf(state),
  body: [ending(state, ended), ...said(ended)],
});

/** That nobody has said yet how a job ended that cannot be read. It is distinguished from others by its number. */
export const jobReminder = (known: Known, state: Followed, n: number): Card => ({
  ...base(known),
  state: 'accepted',
  run: `${invocationOf(state.run)} · reminder ${n}`,
  body: [
    joined(
      [
        md`${what(state.followUp.started)} was started ${moment(begunAt(state, state.followUp.started))}, and nobody has said how it ended.`,
        trusted('Look in the panel, and press what you see on its card.'),
      ],
      ' ',
    ),
  ],
});
