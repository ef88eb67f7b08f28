import {
  type Button,
  type Card,
  joined,
  list,
  type Markup,
  md,
  moment,
  quote,
  sentences,
  shortName,
  trusted,
  uncapitalized,
} from '../../card.ts';
import { botActor } from '../../outcome.ts';
import type { Step } from '../../runs/entry.ts';
import { begunAt } from '../../runs/follow-up.ts';
import { invocationOf } from '../../runs/ids.ts';
import { waitersOf } from '../../runs/news.ts';
import { type FollowUpState, mayStillRun, type RunState } from '../../runs/state.ts';
import { largestOf } from '../../time.ts';
import { button } from '../buttons.ts';
import { endButtons, resolutions } from './offers.ts';
import { wordOf } from './outcome.ts';
import { base, cardLink, type Drawing, type JobLook, type Known, type Offer, type Offers, signature } from './parts.ts';

export type Followed = RunState & { followUp: FollowUpState };

export const isFollowed = (state: RunState): state is Followed => state.followUp !== undefined;

const barWidth = 10;
/** Between a number and its unit, which a narrow screen must not part. */
const noBreak = '\u00a0';

/** The card of a job: how it goes, or how it ended. */
export function followedCard(known: Known, state: Followed, drawing: Drawing, offers: Offers): Card {
  const { ended } = state.followUp;
  const look = known.looks.get(state.run);
  const { fact, body, next } = ended === undefined ? progress(state, look, drawing) : endOf(state, ended, drawing);
  const stuck = ended === undefined ? stuckOffer(known, drawing) : {};
  const byHand = ended === undefined && look === 'no-read' ? handButtons(state) : [];
  return {
    ...base(known),
    state: ended === undefined ? 'accepted' : wordOf(state),
    fact,
    body: [...body, ...(stuck.body ?? []), ...offers.body, ...resolutions([state])],
    next: [...next, ...offers.next],
    small: signature(known),
    buttons: [...byHand, ...(stuck.buttons ?? []), ...offers.buttons],
  };
}

/** What the command offers if a job of these runs takes longer than usual. */
export function stuckOffer({ invocationId, command: id, looks }: Known, { command }: Drawing): Offer {
  const stuck = command(id)?.ifStuck;
  const isLate = [...looks.values()].some((look) => look !== 'no-read' && look.late === true);
  if (stuck === undefined || !isLate) return {};
  return { body: [stuck.says], buttons: [button(stuck.label, 'off', invocationId)] };
}

const handButtons = (state: RunState): Button[] => [
  ...endButtons(state),
  button('Stop following', 'follow', `${state.run}:stopped`),
];

/** "The restart of web-1" */
function what({ followUp: { started } }: Followed, { command }: Drawing): Markup {
  const { server, follow } = started;
  const noun = command(started.command)?.noun ?? (follow === 'restore' ? 'restore' : 'power action');
  return trusted(`The ${noun} of ${server === undefined ? 'this server' : shortName(server)}`);
}

/** When it started, as what the panel knows it, when it last moved, and who hears of its end. */
function begunLine(state: Followed, look: JobLook | undefined, { recipients }: Drawing): Markup {
  const { started, notify } = state.followUp;
  const news = look === undefined || look === 'no-read' || look.blind === true ? undefined : look.newsAt;
  const name =
    started.job === undefined ? '' : ` as ${started.follow === 'restore' ? 'job' : 'queue item'} ${started.job}`;
  return joined(
    [
      md`Started ${moment(begunAt(state, started))}${trusted(name)}.`,
      ...(news === undefined ? [] : [md`Last news ${moment(news)}.`]),
      ...pinged(look === 'no-read', [
        ...new Set([
          ...(started.follow === 'restore' ? recipients(['restore'], notify.id) : []),
          ...waitersOf(state).flatMap(({ id }) => recipients(['done'], id)),
        ]),
      ]),
    ],
    ' ',
  );
}

/** The policy may want nobody pinged: then nothing is promised. */
const pinged = (isUnread: boolean, ids: readonly string[]): Markup[] =>
  ids.length === 0
    ? []
    : [
        md`${list(ids.map((id) => trusted(`<@${id}>`)))} will be pinged ${trusted(isUnread ? 'when somebody says how it ended' : 'when it ends')}.`,
      ];

/** What is known of a job: the fact, more lines, and the next step. */
type News = Required<Pick<Card, 'fact' | 'body' | 'next'>>;

function progress(state: Followed, look: JobLook | undefined, drawing: Drawing): News {
  const { started } = state.followUp;
  const job = what(state, drawing);
  const news = look === 'no-read' ? unreadable(job, started) : readable(job, started, look ?? {});
  return { ...news, body: [...news.body, begunLine(state, look, drawing)] };
}

/** Without a number: the panel gave none, or its answer was lost, and nobody typed one. */
const unreadable = (job: Markup, started: Step<'started'>): News => ({
  fact: md`${job} was started.`,
  body: [
    trusted(
      `${started.job === undefined ? 'No number is known for it' : 'The panel offers no way to look at it'}, so this card cannot show its progress.`,
    ),
  ],
  next: [trusted('Check the panel, then press what you saw. Until then the bot reminds you, less and less often.')],
});

function readable(job: Markup, started: Step<'started'>, look: Exclude<JobLook, 'no-read'>): News {
  const { word, progress, message, at, since, blind } = look;
  if (blind === true)
    return {
      fact: md`${job} has not been visible since ${moment(at ?? since ?? Date.parse(started.time))}.`,
      body: [md`${lastState(look)}. The bot keeps trying; not seen does not mean failed.`],
      next: [trusted("Check the panel. If this keeps happening, tell whoever keeps the bot's policy.")],
    };
  if (word === undefined)
    return { fact: md`${job} was started.`, body: [trusted('The bot follows it until it ends.')], next: [] };
  return {
    fact: md`${job} is under way: ${quote(word, 40)}`,
    body: [
      ...(progress === undefined ? [] : [bar(progress)]),
      ...(message === undefined ? [] : [md`The panel says: ${message}`]),
    ],
    next: [],
  };
}

/** What the last successful look saw, and when. */
export const lastSeen = (look: Exclude<JobLook, 'no-read'>): Markup =>
  look.at === undefined ? md`${lastState(look)}.` : md`${lastState(look)}, ${moment(look.at)}.`;

function lastState({ word, progress, since }: Exclude<JobLook, 'no-read'>): Markup {
  // What a dead process saw may be lost with its Redis.
  if (word === undefined && since !== undefined) return md`Not seen since the bot was restarted, ${moment(since)}`;
  if (word === undefined) return trusted('It was never seen');
  return md`Last seen: ${quote(word, 40)}${trusted(progress === undefined ? '' : `, ${percent(progress)}`)}`;
}

export const percent = (progress: number): string => `${Math.floor(progress)}${noBreak}%`;

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
  return largestOf(parts, noBreak) || `0${noBreak}s`;
}

export const took = (state: Followed): Markup => {
  const { started, ended } = state.followUp;
  return trusted(duration(Date.parse((ended ?? started).time) - begunAt(state, started)));
};

/** The bot's own markup, as recorded. */
export const detailOf = ({ detail }: Step<'ended'>): Markup => trusted(detail ?? '');

/** How it ended, in a sentence or two. */
function ending(state: Followed, ended: Step<'ended'>, drawing: Drawing): Markup {
  const job = what(state, drawing);
  const after = took(state);
  const { follow, job: number } = state.followUp.started;
  const name = number === undefined ? '' : ` for ${follow === 'restore' ? 'job' : 'queue item'} ${number}`;
  const mayRun = trusted(mayStillRun(state) ? ` It may still be running: check the panel${name}.` : '');
  const person = ended.actor.id === botActor.id ? undefined : ended.actor;
  if (ended.end === 'stopped')
    return person === undefined
      ? md`${job} was accepted. The panel offers no way to read its queue, so this card cannot tell when it is done: check the panel.`
      : md`${job} is no longer followed: ${person.name} stopped that.${mayRun}`;
  if (ended.end === 'unknown') return md`${job} was not seen to finish within ${after}. ${detailOf(ended)}${mayRun}`;
  const says = person === undefined ? trusted('') : md`, says ${person.name}`;
  if (isRestored(state, ended))
    return md`It worked: ${trusted(uncapitalized(job.markup))} finished after ${after}${says}.`;
  return md`${job} ${trusted(ended.end)} after ${after}${says}.`;
}

const isRestored = ({ followUp }: Followed, { end }: Step<'ended'>): boolean =>
  end === 'finished' && followUp.started.follow === 'restore';

/** How it ended as a card says it: the fact, the rest, what the panel said, and what a failure asks for. */
function endOf(state: Followed, ended: Step<'ended'>, drawing: Drawing): News {
  const [fact, ...rest] = sentences(ending(state, ended, drawing));
  return {
    fact,
    body: [...rest, ...(ended.said === undefined ? [] : [md`The panel says: ${ended.said}`])],
    next:
      ended.end === 'failed'
        ? [afterFailure[state.followUp.started.follow]]
        : isRestored(state, ended)
          ? [trusted('Check that the server is on and has the lost data back: the panel does not say.')]
          : [],
  };
}

const afterFailure = {
  restore: trusted('Check in the panel what is on the disks now, before anybody uses them.'),
  power: trusted("Check the server's state in the panel."),
};

/** The only message that pings. */
export const jobAnnouncement = (known: Known, state: Followed, ended: Step<'ended'>, drawing: Drawing): Card => {
  const { fact, body, next: after } = endOf(state, ended, drawing);
  const next = mayStillRun(state) ? [...after, trusted('Check the panel, then press what you saw.')] : after;
  return { ...base(known), state: wordOf(state), fact, body, next };
};

/** A reminder that nobody has said how an unreadable job ended. Its number distinguishes it from others. */
export const jobReminder = (known: Known, state: Followed, n: number, drawing: Drawing): Card => ({
  ...base(known),
  state: 'accepted',
  run: `${invocationOf(state.run)} · reminder ${n}`,
  fact: md`${what(state, drawing)} was started ${moment(begunAt(state, state.followUp.started))}, and nobody has said how it ended.`,
  body: [],
  next: [md`Check the panel, then press what you saw on ${cardLink('its card', state)}.`],
});
