import { md, trusted } from '../card.ts';
import { freezesOf } from '../runs/freezes.ts';
import type { RunState } from '../runs/state.ts';
import type { Answer, Decision, Press, Snapshot } from './decision.ts';
import { isCardOf, notHere, nothingLeft, notSent } from './notes.ts';

type Stopped = RunState & { outcome: NonNullable<RunState['outcome']> };

const stoppedBy = ({ ledger }: Snapshot, invocationId: string): Stopped[] =>
  ledger.runs(invocationId).filter((state): state is Stopped => state.outcome?.reason === 'frozen');

const inForce = ({ ledger, now }: Snapshot, states: readonly Stopped[]) =>
  states.flatMap(({ outcome }) => freezesOf(ledger, outcome.server, now()));

/** Ask a lead to thaw: whom a freeze stopped asks those who may end it, once. */
export function plead(snapshot: Snapshot, press: Press): Decision {
  const states = stoppedBy(snapshot, press.payload);
  const [first] = states;
  if (first === undefined || !isCardOf(snapshot, press, first.outcome)) return nothingLeft();
  if (!snapshot.rules.answersIn(press.place)) return notHere(first.outcome.command);
  if (first.outcome.actor.id !== press.actor.id)
    return refused(
      md`Only <@${trusted(first.outcome.actor.id)}>, whom the freeze stopped, can ask. You can mention them.`,
    );
  if (inForce(snapshot, states).length === 0) return over();
  if (states.some(({ called, outcome }) => called !== undefined && called.seq > outcome.seq))
    return refused(trusted('You have already asked. Nobody was pinged again.'));
  return {
    kind: 'append',
    entries: states.map(({ run, outcome: { command, server, place } }) => ({
      ...{ run, kind: 'called' as const, actor: press.actor, command, options: {}, server },
      place: { guild: place.guild, channel: place.channel },
    })),
  };
}

/** End the freeze: what somebody was asked for, as if they had typed it. */
export function thaw(snapshot: Snapshot, press: Press): Decision {
  const [freeze] = inForce(snapshot, stoppedBy(snapshot, press.payload));
  const command = snapshot.commands.find(({ thaws }) => thaws === true)?.id;
  if (command === undefined || !press.offered) return nothingLeft();
  if (freeze === undefined) return over();
  const { tier } = freeze;
  return { kind: 'command', command: { command, options: tier === undefined ? {} : { tier } } };
}

const refused = (words: ReturnType<typeof trusted>): Answer => notSent('this button', words);
const over = (): Answer => refused(trusted('The freeze is over: press Ask again on the card, or type the command.'));
