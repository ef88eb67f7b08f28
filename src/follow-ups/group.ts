import { type Button, type Card, count, type Markup, md, own, quote, serverName } from '../card.ts';
import type { RunState } from '../ledger/ledger.ts';
import type { End, Outcome } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import { lastWords, nothing, type Offers, offerOf, took, wordOf } from './cards.ts';

/** Worst first; what is still under way goes before what went well. */
const gravest = [
  'unknown',
  'failed',
  'rejected',
  'unavailable',
  'blocked',
  'not-sent',
  'accepted',
  'finished',
  'succeeded',
] as const satisfies (Outcome | End)[];

const askable: readonly string[] = ['not-sent', 'blocked', 'expired'];

/** Several servers on one card: a line each, as the ledger has them. */
export function groupCard(
  states: readonly RunState[],
  offered: readonly Button[] = [],
  offers: Offers = nothing,
): Card {
  const words = states.map(word);
  const first = states.find(({ followUp }) => followUp !== undefined)?.followUp?.started;
  const stem = first === undefined ? undefined : first.run.slice(0, first.run.lastIndexOf('.'));
  const buttons: Button[] = [
    ...offered,
    ...(stem !== undefined && words.some((each) => askable.includes(each))
      ? [{ label: 'Ask again', id: `again:${stem}` } as const]
      : []),
    ...offers.buttons,
  ];
  return {
    state: gravest.find((each) => words.includes(each)) ?? 'accepted',
    command: `/${(first?.command ?? '').replace('.', ' ')}`,
    subject: own(count(states.length, 'server')),
    body: [
      summary(states),
      ...states.map(line),
      ...nextSteps(states),
      ...offerOf(offered),
      ...offers.body,
      ...signature(states),
    ],
    ...(stem === undefined ? {} : { run: stem }),
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

const word = ({ outcome, followUp }: RunState): Outcome | End =>
  followUp?.ended === undefined ? (outcome?.outcome ?? 'unknown') : wordOf(followUp.ended);

function summary(states: readonly RunState[]): Markup {
  const waiting = states.filter(({ followUp }) => followUp !== undefined && followUp.ended === undefined).length;
  if (waiting > 0) return own(`${count(waiting, 'server')} not done yet: accepted is not done.`);
  return own(
    states.map(word).includes('accepted')
      ? 'None of them is followed any more. Look in the panel for those that are only accepted.'
      : 'None of them is under way any more.',
  );
}

function line(state: RunState): Markup {
  const { outcome, followUp } = state;
  const server = outcome?.server;
  const name = server === undefined ? own('this') : serverName(server);
  const head = md`**${own(word(state).toUpperCase())}** ${name}`;
  if (followUp === undefined) {
    const why = outcome?.reason === undefined ? own('not followed.') : own(reasons[outcome.reason].why);
    return md`${head}: ${why}${says(outcome?.said)}`;
  }
  const { ended, started } = followUp;
  if (ended === undefined) return md`${head}: queue item ${started.job ?? 0}.`;
  if (ended.end === 'stopped') return md`${head}: not followed any more.`;
  const after = took(Date.parse(started.time), ended);
  if (ended.end === 'unknown') return md`${head}: not seen to finish within ${after}. ${lastWords(ended)}`;
  return md`${head} after ${after}.${says(ended.said)}`;
}

const says = (said: string | undefined): Markup =>
  said === undefined ? own('') : md` The panel says: ${quote(said, 120)}`;

function nextSteps(states: readonly RunState[]): Markup[] {
  const steps = states.flatMap(({ outcome, followUp, resolved }) => {
    if (resolved !== undefined) return [];
    if (followUp?.ended?.end === 'unknown') return ['What was not seen to finish may still run: look in the panel.'];
    return outcome?.reason === undefined ? [] : [reasons[outcome.reason].next];
  });
  return [...new Set(steps)].filter((step) => step !== '').map(own);
}

/** Why, by whom, and who is pinged if that is somebody else. */
function signature(states: readonly RunState[]): Markup[] {
  const followed = states.flatMap(({ followUp }) => followUp ?? []);
  const started = followed[0]?.started;
  if (started === undefined) return [];
  const { reason } = started.options;
  const others = new Set(followed.map(({ notify }) => notify.id).filter((id) => id !== started.actor.id));
  const over = [...others].map((id) => `, handed over to <@${id}>`).join('');
  return [...(typeof reason === 'string' ? [md`Reason: ${reason}`] : []), own(`By <@${started.actor.id}>${over}.`)];
}
