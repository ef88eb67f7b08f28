import { block, type Card, count, trusted } from '../card.ts';
import { type Call, type Command, type PreparedChange, ReadFailed } from '../command.ts';
import { stopLines } from '../decide/blockers.ts';
import { decideCommand } from '../decide/command.ts';
import { type Answer, answer } from '../decide/decision.ts';
import { nameOf, note, readFailedText, typedName } from '../decide/notes.ts';
import { outcomeOf } from '../outcome.ts';
import { snapshotOf } from './carry-out.ts';
import type { Invocation, RunParts } from './parts.ts';
import { headOf, looksOf } from './read.ts';

type DryRun = Omit<Invocation, 'mayReturn' | 'reply'>;

/** What a change would ask and send. The panel is read as for its question, and nothing is sent. */
export async function dryRun(parts: RunParts, asked: DryRun): Promise<Answer> {
  const decision = decideCommand(snapshotOf(parts), { ...asked, mayReturn: true });
  if (decision.kind === 'answer') return { ...decision, card: { ...decision.card, buttons: [] } };
  if (decision.kind === 'start' && decision.prepared.kind === 'change')
    return answer(await preview(parts, asked, decision.command, decision.prepared));
  const why =
    decision.kind === 'form'
      ? `The bot first asks for more: ${decision.form.title}.`
      : 'It sends no change to the panel.';
  return answer(note('not-sent', typedName(asked.command), trusted(`${why} Nothing was sent.`)));
}

async function preview(parts: RunParts, { actor }: DryRun, command: Command, prepared: PreparedChange): Promise<Card> {
  const { servers } = prepared;
  const requests: string[] = [];
  const call: Call = (endpoint, input) => {
    requests.push(parts.forCommands.written(endpoint, input));
    return Promise.resolve({ kind: 'not-sent', reason: 'changed-since' });
  };
  const head = headOf(command, prepared);
  try {
    const looks = await looksOf(parts, prepared, servers, { kind: 'person', id: actor.id });
    for (const server of servers) await prepared.attempt(server, call);
    const { confirm, typed, reason, approvals = 0 } = parts.rules.requirements(command, servers);
    const asks = [
      confirm ? `It asks first${typed ? ', and the name is typed' : ''}.` : 'It does not ask first.',
      ...(reason ? ['It requires a reason.'] : []),
      ...(approvals === 0 ? [] : [`It needs ${count(approvals, 'approval')} of others.`]),
    ];
    return {
      ...{
        ...head,
        state: 'succeeded',
        title: trusted(`Dry run: ${nameOf(command)}`),
        fact: trusted('Nothing was sent or recorded. This would be asked and sent:'),
      },
      body: [
        ...prepared.question(looks),
        ...stopLines(snapshotOf(parts), servers),
        trusted(asks.join(' ')),
        block(requests.join('\n')),
      ],
    };
  } catch (error) {
    if (!(error instanceof ReadFailed)) throw error;
    return { ...head, state: outcomeOf[error.result.kind], ...readFailedText(error) };
  }
}
