import { type Card, md, own } from '../card.ts';
import type { Command, PreparedChange } from '../command.ts';
import { RedisUnavailable, type Server } from '../outcome.ts';
import type { Question, Taker } from '../questions/questions.ts';
import { admit, type Denial } from './admit.ts';
import { type About, endCard, goneCard, note, typedName, workingCard } from './cards.ts';
import { change, end, type Run, type Work } from './change.ts';
import { inHand, recordDenial, refuse, settling } from './corridor.ts';
import type { Click, RunParts } from './parts.ts';
import { openCard } from './settle.ts';
import { unclaimedClick } from './unsure.ts';

/** Confirm, or the submitted modal of a question that wants something typed. */
export async function confirm(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await begin(parts, clicked, payload);
  if (open === undefined) return;
  const { question, prepared } = open;
  const { reply, actor } = clicked;
  const objection = strangeness(clicked, question) ?? misspelling(clicked, question);
  if (objection !== undefined) return reply.whisper(objection);

  const work = workOf(question, prepared, (card) => reply.show(card));
  const slower = await settling(parts, recordOf(parts, clicked, work), async () => {
    const slow = await take(parts, question, { who: actor.name, what: 'confirmed', at: parts.now() });
    if (slow !== undefined) return slow;
    await inHand(parts, question.stem, clicked.interaction.id, async () => {
      // Not waited for: a Discord that is slow must not make a confirmed change late.
      void reply.show(workingCard(work.about)).catch(() => undefined);
      await change(parts, work);
    });
    return undefined;
  });
  if (slower !== undefined) await reply.whisper(slower);
}

/** Cancel: by whoever may run the command. */
export async function cancel(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await begin(parts, clicked, payload);
  if (open === undefined) return;
  const { question, prepared } = open;
  const { actor, reply } = clicked;
  const work = workOf(question, prepared, (card) => reply.show(card));
  const slower = await settling(parts, recordOf(parts, clicked, work), async () => {
    const slow = await take(parts, question, { who: actor.name, what: 'cancelled', at: parts.now() });
    if (slow !== undefined) return slow;
    const how = { outcome: 'cancelled', reason: 'cancelled', detail: own(`Cancelled by <@${actor.id}>.`) } as const;
    const canceller = { ...work, about: { ...work.about, actor } };
    await inHand(parts, question.stem, clicked.interaction.id, async () => {
      const ended = await Promise.all(work.runs.map((run) => end(parts, canceller, run, how)));
      await reply.show(endCard(work.about, ended));
    });
    return undefined;
  });
  if (slower !== undefined) await reply.whisper(slower);
}

/**
 * Takes the question; a card when that is not to be. Without Redis it is left as it is: there to be confirmed, or, if Redis
 * took it without saying so, for the sweep.
 */
async function take(parts: RunParts, question: Question, by: Taker): Promise<Card | undefined> {
  try {
    const taken = await parts.questions.take(question, by);
    return taken.taken ? undefined : goneCard(question.command, taken.by);
  } catch (error) {
    return redisTrouble(error).card;
  }
}

/** How long a modal may wait for Redis, in ms: Discord wants its first answer within 3 seconds. */
const modalWait = 1500;

/** Confirm of a question that wants something typed: opens the modal; the question is taken on its submission. */
export async function openModal(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { reply } = clicked;
  const late = new Promise<Refusing>((resolve) => setTimeout(resolve, modalWait, { card: unclaimedClick() }).unref());
  const found = await Promise.race([find(parts, clicked, payload).catch(redisTrouble), late]);
  if ('card' in found) return refuse(parts, { ...clicked, options: found.options ?? {} }, { kind: 'out', ...found });
  const { question } = found;
  const strange = strangeness(clicked, question);
  if (strange !== undefined) await reply.refuse(strange);
  else
    await reply.ask({
      id: `confirm:${payload}`,
      title: typedName(question.command),
      label: `Type ${question.typed ?? ''}`.slice(0, 45),
    });
}

interface Open {
  question: Question;
  command: Command;
  prepared: PreparedChange;
}

/** Why a click does not count. */
interface Refusing {
  card: Card;
  denial?: Denial;
  options?: Question['options'];
}

/** Acknowledges, claims, finds the question and decides again; undefined when the click has had its answer. */
async function begin(parts: RunParts, clicked: Click, payload: string): Promise<Open | undefined> {
  const { interaction, actor, place, reply } = clicked;
  if ((await reply.defer()).kind === 'gone') return undefined;
  const found = await claimed(parts, clicked, payload).catch(redisTrouble);
  if (found === undefined || !('card' in found)) return found;
  await reply.whisper(found.card);
  if (found.denial !== undefined)
    await recordDenial(parts, { interaction, actor, place, options: found.options ?? {} }, found.denial);
  return undefined;
}

async function claimed(parts: RunParts, clicked: Click, payload: string): Promise<Open | Refusing | undefined> {
  return (await parts.locks.claim(clicked.interaction.id, parts.owner)) ? find(parts, clicked, payload) : undefined;
}

function redisTrouble(error: unknown): Refusing {
  if (error instanceof RedisUnavailable) return { card: unclaimedClick() };
  throw error;
}

/** The question that a button stands for, if the button's hash is ours, it hangs on its message, and this person may run the command. */
async function find(parts: RunParts, { actor, place }: Click, payload: string): Promise<Open | Refusing> {
  const [id = '', seal = ''] = payload.split('.');
  const question = await parts.questions.get(id);
  if (question === undefined) return { card: goneCard(undefined, await parts.questions.gone(id)) };
  const { command, options, requester, expires } = question;
  const { guild, channel, message } = question.place;
  const elsewhere = place.guild !== guild || place.channel !== channel || place.message !== message;
  if (elsewhere || !parts.questions.matches(question, seal)) return { card: goneCard(undefined, undefined) };
  if (parts.now() >= expires) return { card: goneCard(command, { who: requester.name, what: 'expired', at: expires }) };

  const admission = admit(parts, { actor, place, command, options });
  if (admission.kind === 'out') return { ...admission, options };
  const { prepared } = admission;
  return prepared.kind === 'change'
    ? { question, command: admission.command, prepared }
    : { card: goneCard(undefined, undefined) };
}

/** Only the requester confirms. */
function strangeness({ actor }: Click, { requester, command }: Question): Card | undefined {
  if (actor.id === requester.id) return undefined;
  return note(
    'not-sent',
    typedName(command),
    own(`Only <@${requester.id}> can confirm this question. Your click changed nothing.`),
    own('If you may run the command, you can cancel this one, or type it yourself.'),
  );
}

function misspelling({ typed }: Click, question: Question): Card | undefined {
  if (question.typed === undefined || typed?.trim().toLowerCase() === question.typed.toLowerCase()) return undefined;
  return note(
    'not-sent',
    typedName(question.command),
    md`What you typed is not ${question.typed}. Nothing was sent; the question stays open. Press Confirm to type again.`,
  );
}

/** What a confirmed question does: exactly what was asked, with what was read then. */
function workOf(
  { stem, runs, requester, place, options, command, undoes }: Question,
  prepared: PreparedChange,
  show: Work['show'],
): Work {
  const about: About = {
    command,
    actor: requester,
    servers: prepared.servers,
    stem,
    ...(prepared.reason === undefined ? {} : { reason: prepared.reason }),
  };
  const serverOf = (id: number | undefined): Server[] => prepared.servers.filter((server) => server.id === id);
  return {
    about,
    place: { guild: place.guild, channel: place.channel, message: place.message },
    options,
    prepared,
    ...(undoes === undefined ? {} : { undoes }),
    runs: runs.flatMap(({ run, server, facts }) =>
      serverOf(server?.id).map((target): Run => ({ run, server: target, ...(facts === undefined ? {} : { facts }) })),
    ),
    show,
  };
}

/** A card on its way because of a click. */
const recordOf = (
  parts: RunParts,
  { interaction }: Click,
  { about, place, runs, options }: Work,
): ReturnType<typeof openCard> => openCard(parts, { interaction, place, audience: 'public', about, runs, options });
