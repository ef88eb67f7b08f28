import { type Card, md, moment, quote, serverName, trusted } from '../card.ts';
import { button } from '../cards/buttons.ts';
import { endButtons } from '../cards/render/offers.ts';
import { cardLink } from '../cards/render/parts.ts';
import { type Command, ReadFailed, type Verdict } from '../command.ts';
import type { Look } from '../follow-ups/seen.ts';
import { outcomeOf } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import type { Kind } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { isUnknown, mayStillRun, type RunState } from '../runs/state.ts';
import { decideServers, preparedOf, type Refusal } from './authorize.ts';
import { mayEndEmergency } from './glass.ts';
import { deniedCard, note, readFailedText, typedName } from './notes.ts';
import type { Click, RunParts } from './parts.ts';
import { runsNow, sayGone, takeClick } from './press.ts';
import { reader } from './read.ts';
import { refuse } from './refuse.ts';
import { isCardOf } from './resolve.ts';

type Outcome = Kind<'outcome'>;
type Said = Required<Pick<Card, 'state' | 'fact' | 'body' | 'next'>> & Pick<Card, 'buttons'>;

/** Looks how a run ended that nobody knows, and answers privately. Nothing is recorded: a person draws the conclusion. */
export async function checkNow(parts: RunParts, clicked: Click, run: string): Promise<void> {
  await runsNow(parts, invocationOf(run));
  const state = parts.ledger.run(run);
  const outcome = state?.outcome;
  if (state === undefined || outcome?.kind !== 'outcome') return sayGone(clicked);
  const command = parts.commands.find(({ id }) => id === outcome.command);
  const refused = refusal(parts, clicked, outcome, command);
  if (refused !== undefined) return void (await refuse(parts, { ...clicked, options: outcome.options }, refused));
  const isOpen = isUnknown(state) || mayStillRun(state);
  if (!isOpen || !clicked.offered || !isCardOf(parts, clicked, outcome)) {
    await sayGone(clicked);
    return parts.cards.mark(invocationOf(run));
  }
  if ((await takeClick(parts, clicked)) === undefined) return;
  const { server } = outcome;
  const base: Pick<Card, 'command' | 'subject' | 'run'> = {
    command: typedName(outcome.command),
    ...(server === undefined ? {} : { subject: serverName(server) }),
    run,
  };
  const said = isUnknown(state) ? await ofUnknown(parts, clicked, state, outcome) : await ofJob(parts, clicked, state);
  const title = md`Checked: ${trusted(base.command)}${server === undefined ? trusted('') : md` · ${serverName(server)}`}`;
  await clicked.reply.whisper({ ...base, ...said, ...(said.state === 'succeeded' ? { title } : {}) });
}

/** Refuses people who may not read there what the run changes. */
function refusal(
  parts: RunParts,
  { actor, place }: Click,
  { command: id, server }: Outcome,
  command: Command | undefined,
): Refusal | undefined {
  const by = parts.commands.find((each) => each.id === command?.checkedBy);
  if (by === undefined || !parts.rules.answersIn(place))
    return { kind: 'refused', card: note('not-sent', typedName(id), trusted('This button is not answered here.')) };
  const may = parts.rules.decide(actor.roles, by);
  const target = server === undefined ? [] : [parts.rules.find(String(server.id)) ?? server];
  const decision = may.allowed ? decideServers(parts, actor, by, target) : may;
  if (decision === undefined) return undefined;
  return { kind: 'refused', card: deniedCard(by, decision, 'Nothing was read.'), denial: { command: by, decision } };
}

/** Reads what the run was to change, and compares it with what was there before. */
async function ofUnknown(parts: RunParts, { actor }: Click, state: RunState, outcome: Outcome): Promise<Said> {
  const check = preparedOf(parts, outcome)?.checkNow;
  const { server, run } = outcome;
  if (check === undefined || server === undefined) return unreadable;
  const { facts, before } = state.asked ?? {};
  const known = facts === undefined && before === undefined ? undefined : { ...facts, ...before };
  const read = reader(parts.panel, { kind: 'person', id: actor.id });
  let verdict: Verdict;
  try {
    verdict = await check(server, read, known, state.intent?.kept);
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error;
    const { fact, body, next = [] } = readFailedText(error);
    const words = fact ?? trusted(reasons[error.answer.reason].why);
    return { state: outcomeOf[error.answer.kind], fact: words, body: [...body, stillUnknown], next, ...again(run) };
  }
  const later = changedSince(parts, outcome);
  const { happened, fact, says } =
    later === undefined ? verdict : { says: verdict.says, fact: cannotTell, happened: undefined };
  const body =
    later === undefined
      ? says
      : [...says, md`${cardLink('Another change', later)} of this server came later: what is read may be its doing.`];
  if (!mayConclude(parts, actor.roles, outcome))
    return { state: 'succeeded', fact, body, next: [others(state, outcome)] };
  const buttons = [
    ...(happened === true ? [button('It happened', 'happened', run)] : []),
    ...(happened === false ? [button('It did not', 'not-happened', run)] : []),
  ];
  const next =
    happened === undefined
      ? md`Look in the panel, then press on ${cardLink('its card', state)} what you saw.`
      : trusted('If you agree, press the button below and say how you know.');
  return { state: 'succeeded', fact, body, next: [next], buttons };
}

/** One look at a job that may still run although nobody follows it. */
async function ofJob(parts: RunParts, { actor }: Click, state: RunState): Promise<Said> {
  const { run, outcome } = state;
  const look = await parts.followUps.look(run, { kind: 'person', id: actor.id });
  if (look === undefined || look.kind === 'no-read' || outcome?.kind !== 'outcome') return unreadable;
  if (look.kind !== 'seen') return { ...unseen(look), ...again(run) };
  const progress = look.progress === undefined ? '' : `, ${Math.round(look.progress)} %`;
  const is = { running: 'It still runs', succeeded: 'It finished', failed: 'It failed' }[look.state];
  const fact = md`${trusted(is)}: the panel says ${quote(look.word, 40)}${trusted(progress)}.`;
  const body = look.message === undefined ? [] : [md`The panel says: ${look.message}`];
  if (look.state === 'running')
    return { state: 'succeeded', fact, body, next: [trusted('Check again later: nobody follows it.')], ...again(run) };
  if (!mayConclude(parts, actor.roles, outcome))
    return { state: 'succeeded', fact, body, next: [others(state, outcome)] };
  const [finished, failed] = endButtons(state);
  const end = look.state === 'succeeded' ? finished : failed;
  return {
    ...{ state: 'succeeded', fact, body },
    next: [trusted('If you agree, press the button below.')],
    buttons: end === undefined ? [] : [end],
  };
}

const cannotTell = trusted('A look cannot tell how it ended: the server was changed again since.');
const stillUnknown = trusted('So how it ended is still unknown.');

function unseen(look: Extract<Look, { kind: 'failed' | 'later' }>): Said {
  const common = { state: 'not-sent', body: [stillUnknown] } as const;
  if (look.kind === 'later')
    return {
      ...common,
      fact: trusted("The panel's limit for this token is nearly used up."),
      next: [md`Press it again ${moment(look.at)}.`],
    };
  const { why } = reasons[look.why];
  return { ...common, fact: trusted(why), next: [trusted('Press it again, or look in the panel.')] };
}

const unreadable: Said = {
  state: 'not-sent',
  fact: trusted('The panel offers no way to read that.'),
  body: [stillUnknown],
  next: [trusted('Look in the panel, then press on its card what you saw.')],
};

const again = (run: string): Pick<Card, 'buttons'> => ({ buttons: [button('Check now', 'check', run)] });

/** A later change of the same server, which may have made what is read now. */
function changedSince({ ledger }: RunParts, { server, seq }: Outcome): RunState | undefined {
  const all = ledger.outcomes(server?.id ?? 0);
  for (let at = all.upTo(seq); at < all.length; at += 1) {
    const later = all.at(at);
    if (later !== undefined && ['succeeded', 'accepted', 'unknown'].includes(later.outcome))
      return ledger.run(later.run);
  }
  return undefined;
}

/** Whether they may say how it ended: whoever may run it there. */
function mayConclude(parts: RunParts, roles: readonly string[], { command: id, server, run }: Outcome): boolean {
  const command = parts.commands.find((each) => each.id === id);
  const target = server && (parts.rules.find(String(server.id)) ?? server);
  if (command === undefined) return false;
  return parts.rules.decide(roles, command, target).allowed || mayEndEmergency(parts, roles, command, run);
}

const others = (state: RunState, { command }: Outcome): ReturnType<typeof md> =>
  md`Whoever may run ${trusted(typedName(command))} there says so on ${cardLink('its card', state)}.`;
