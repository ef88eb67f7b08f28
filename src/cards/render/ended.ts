import { type Markup, md, moment, serverName, trusted } from '../../card.ts';
import type { Records } from '../../runs/book.ts';
import { type Ended, endedBy } from '../../runs/history.ts';
import { isPending, isUnknown, type RunState } from '../../runs/state.ts';
import { typedName } from '../../view/words.ts';
import { cardLink } from './parts.ts';

interface EndedLines {
  /** The runs of which they tell. */
  runs: readonly string[];
  lines: readonly Markup[];
}

/** On a phone. */
const most = 3;

/** What others had left on the servers, or what ended unknown there, and these runs ended: who, when, and where its card is. */
export function endedLines(
  states: readonly RunState[],
  records: Pick<Records, 'outcomes' | 'closed' | 'run'>,
): EndedLines {
  const all = states.flatMap((by) =>
    endedBy(records, by).flatMap((ended) =>
      isUnknown(ended.state) || ended.state.outcome?.actor.id !== by.outcome?.actor.id ? [{ by, ended }] : [],
    ),
  );
  return {
    runs: all.map(({ ended }) => ended.state.run),
    lines: all.slice(-most).map(({ by, ended }) => line(ended, by, states.length > 1)),
  };
}

function line({ state, how }: Ended, by: RunState, isOfSeveral: boolean): Markup {
  const { outcome } = state;
  if (outcome === undefined) return trusted('');
  const of = isOfSeveral && outcome.server !== undefined ? md` of ${serverName(outcome.server)}` : trusted('');
  const what = md`${cardLink(typedName(outcome.command), state)}${of}`;
  const who = md`by <@${trusted(outcome.actor.id)}> ${moment(Date.parse(outcome.time))}`;
  if (isUnknown(state))
    return md`**${what} ${who} ended unknown**: whether it was done or not, this was sent after it. What a look shows is this change: if you know how that one ended, say so on its card.`;
  if (how === 'applied') return md`This applied what was only stored: ${what} ${who}.`;
  return md`${trusted(isPending(by) ? 'Once it is done, this ends' : 'This ended')}: ${what} ${who}.`;
}
