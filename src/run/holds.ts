import { trusted } from '../card.ts';
import { ReadFailed } from '../command.ts';
import { defined } from '../defined.ts';
import { afterRead, reasons } from '../reasons.ts';
import { replaced, takenBack } from '../runs/history.ts';
import type { ChangeParts, Ending, Facts, Run, Work } from './change.ts';
import { reader } from './read.ts';

type ForbiddenNow = { outcome: 'not-sent'; reason: 'not-allowed-now' };

/** The policy may be another one than at the click: it decides again until the request leaves. */
export function forbiddenNow({ rules, commands }: ChangeParts, work: Work, { server }: Run): ForbiddenNow | undefined {
  const command = commands.find(({ id }) => id === work.command);
  const isAllowed = command !== undefined && rules.decide(work.roles ?? work.actor.roles, command, server).allowed;
  return isAllowed ? undefined : { outcome: 'not-sent', reason: 'not-allowed-now' };
}

/** Whether the change to undo was undone or replaced since the click. */
export function undoneMeanwhile({ ledger }: ChangeParts, { undoes }: Work, { server }: Run): Ending | undefined {
  if (undoes === undefined) return undefined;
  const state = ledger.runs(undoes).find(({ outcome }) => outcome?.server?.id === server.id);
  const isOver =
    state !== undefined && (takenBack(ledger, state) !== undefined || replaced(ledger, state) !== undefined);
  return isOver ? { outcome: 'not-sent', reason: 'undone-meanwhile' } : undefined;
}

/** Reads the settings again and compares them with the question's. Undefined: unchanged. */
export async function changedSince(
  parts: ChangeParts,
  { prepared }: Work,
  { server, facts }: Run,
): Promise<Ending | undefined> {
  if (facts === undefined || prepared.look === undefined) return undefined;
  let now: Facts;
  try {
    now = (await prepared.look(server, reader(parts.panel, { kind: 'confirmed' }))).facts ?? {};
  } catch (error) {
    if (error instanceof ReadFailed) return lookFailed(error);
    throw error;
  }
  const differs = Object.keys(facts).filter((name) => facts[name] !== now[name]);
  if (differs.length === 0) return undefined;
  const detail = trusted(
    differs.map((name) => `${name}: ${String(facts[name])} then, ${String(now[name])} now.`).join(' '),
  );
  return { outcome: 'not-sent', reason: 'changed-since', detail };
}

/** If the current settings cannot be read, nothing is sent. */
export function lookFailed({ answer }: ReadFailed): Ending {
  const said = 'said' in answer ? answer.said : undefined;
  return {
    outcome: 'not-sent',
    reason: 'look-failed',
    detail: trusted(`${reasons[answer.reason].why} ${afterRead(answer)}`),
    ...defined({ said }),
  };
}
