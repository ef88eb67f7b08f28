import { md, own } from '../card.ts';
import type { Command, PreparedChange } from '../command.ts';
import { RedisUnavailable, reasons, type Server } from '../outcome.ts';
import type { Question } from '../questions/questions.ts';
import { admit } from './admit.ts';
import { type About, endCard, goneCard, note, typedName, workingCard } from './cards.ts';
import { change, end, type Run, type Work } from './change.ts';
import { type RunParts, refuse, settling } from './corridor.ts';
import type { Click } from './parts.ts';
import { openCard } from './settle.ts';

/** Confirm, or the submitted modal of a question that wants something typed. */
export async function confirm(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await begin(parts, clicked, payload);
  if (open === undefined) return;
  const { question, command, prepared } = open;
  const { reply, actor } = clicked;
  const foreign = strangeness(clicked, question);
  if (foreign !== undefined) return reply.whisper(foreign);
  if (question.typed !== undefined && clicked.typed?.trim().toLowerCase() !== question.typed.toLowerCase()) {
    return reply.whisper(
      note('not-sent', typedName(command.id), md`What was typed is not ${question.typed}. The question stays open.`),
    );
  }

  const work = workOf(question, prepared, (card) => reply.show(card));
  const { interaction } = clicked;
  const record = openCard(parts, {
    interaction,
    place: question.place,
    audience: 'public',
    about: work.about,
    runs: work.runs,
    options: work.options,
  });
  await settling(parts, record, async () => {
    parts.openCards.put(record);
    const taken = await parts.questions.take(question, { who: actor.name, what: 'confirmed', at: parts.now() });
    if (!taken.taken) return reply.whisper(goneCard(command.id, taken.by));
    await reply.show(workingCard(work.about));
    await change(parts, work);
  });
}

/** Cancel: by whoever may run the command. */
export async function cancel(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await begin(parts, clicked, payload);
  if (open === undefined) return;
  const { question, command, prepared } = open;
  const { actor, reply } = clicked;
  const taken = await parts.questions.take(question, { who: actor.name, what: 'cancelled', at: parts.now() });
  if (!taken.taken) return reply.whisper(goneCard(command.id, taken.by));
  const work = workOf(question, prepared, (card) => reply.show(card));
  const how = { outcome: 'cancelled', reason: 'cancelled', detail: own(`Cancelled by <@${actor.id}>.`) } as const;
  const ended = await Promise.all(
    work.runs.map((run) => end(parts, { ...work, about: { ...work.about, actor } }, run, how)),
  );
  await reply.show(endCard(work.about, ended, false));
}

/** How long a modal may wait for Redis, in ms: Discord wants its first answer within 3 seconds. */
const modalWait = 1500;

/** Confirm of a question that wants something typed: opens the modal; the question is taken on its submission. */
export async function openModal(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { reply } = clicked;
  const found = await Promise.race([
    find(parts, payload),
    new Promise<'late'>((resolve) => setTimeout(resolve, modalWait, 'late').unref()),
  ]).catch((error: unknown) => {
    if (error instanceof RedisUnavailable) return 'late' as const;
    throw error;
  });
  if (found === 'late') return reply.refuse(redisCard());
  if ('gone' in found) return reply.refuse(found.gone);
  const { question } = found;
  const strange = strangeness(clicked, question);
  if (strange !== undefined) return reply.refuse(strange);
  const admission = admit(parts, {
    actor: clicked.actor,
    place: clicked.place,
    command: question.command,
    options: question.options,
  });
  if (admission.kind === 'out') return refuse(parts, { ...clicked, options: question.options }, admission);
  await reply.ask({
    id: `confirm:${payload}`,
    title: typedName(question.command),
    label: `Type ${question.typed ?? ''}`.slice(0, 45),
  });
}

const redisCard = (): ReturnType<typeof note> =>
  note('unavailable', 'this question', own(reasons['redis-unavailable'].why), own(reasons['redis-unavailable'].next));

/** Acknowledges, claims, finds the question and decides again; undefined when the click has had its answer. */
async function begin(
  parts: RunParts,
  clicked: Click,
  payload: string,
): Promise<{ question: Question; command: Command; prepared: PreparedChange } | undefined> {
  const { interaction, actor, place, reply } = clicked;
  if ((await reply.defer()).kind === 'gone') return undefined;
  try {
    if (!(await parts.locks.claim(interaction.id, parts.owner))) return undefined;
    const found = await find(parts, payload);
    if ('gone' in found) {
      await reply.whisper(found.gone);
      return undefined;
    }
    const { question } = found;
    const { guild, channel, message } = question.place;
    if (place.guild !== guild || place.channel !== channel || place.message !== message) {
      await reply.whisper(
        note('not-sent', 'this question', own('This question belongs to another message. Your click changed nothing.')),
      );
      return undefined;
    }
    const admission = admit(parts, { actor, place, command: question.command, options: question.options });
    if (admission.kind === 'in' && admission.prepared.kind === 'change')
      return { question, command: admission.command, prepared: admission.prepared };
    if (admission.kind === 'out')
      await refuse(
        parts,
        { interaction, actor, place, options: question.options, reply: { refuse: reply.whisper } },
        admission,
      );
    return undefined;
  } catch (error) {
    if (!(error instanceof RedisUnavailable)) throw error;
    await reply.whisper(redisCard());
    return undefined;
  }
}

/** The question that a button stands for, if its hash is ours and the question is still there. */
async function find(
  { questions, now }: RunParts,
  payload: string,
): Promise<{ question: Question } | { gone: ReturnType<typeof goneCard> }> {
  const [id = '', seal = ''] = payload.split('.');
  const question = await questions.get(id);
  if (question === undefined) return { gone: goneCard(undefined, await questions.gone(id)) };
  if (!questions.matches(question, seal)) return { gone: goneCard(undefined, undefined) };
  if (now() >= question.expires)
    return {
      gone: goneCard(question.command, { who: question.requester.name, what: 'expired', at: question.expires }),
    };
  return { question };
}

/** Why this person's click does not count: only the requester confirms. */
function strangeness({ actor }: Click, { requester, command }: Question): ReturnType<typeof note> | undefined {
  if (actor.id === requester.id) return undefined;
  return note(
    'not-sent',
    typedName(command),
    own(`Only <@${requester.id}> can confirm this question. Your click changed nothing.`),
    own('Whoever may run the command can cancel it, or type it anew.'),
  );
}

/** What a confirmed question does: exactly what was asked, with what was read then. */
function workOf(
  { stem, runs, requester, place, options, command }: Question,
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
    runs: runs.flatMap(({ run, server, facts }) =>
      serverOf(server?.id).map((target): Run => ({ run, server: target, ...(facts === undefined ? {} : { facts }) })),
    ),
    show,
  };
}
