import type { Denial } from '../decide/decision.ts';
import { serverRef } from '../decide/work.ts';
import type { Kind } from '../runs/entry.ts';
import { invocationIdOf, runIdOf } from '../runs/ids.ts';
import { orderOf } from '../runs/state.ts';
import { keptOptions } from './denials.ts';
import type { Invocation, RunParts } from './parts.ts';

type Pressed = NonNullable<Kind<'denied'>['pressed']>;

/** Records a denial for auditors. `offers`: its card has a button. */
export function recordDenial(
  { denials, observe, ledger }: Pick<RunParts, 'denials' | 'observe' | 'ledger'>,
  {
    actor,
    place,
    options,
    interaction,
    button,
  }: Pick<Invocation, 'interaction' | 'actor' | 'place' | 'options' | 'button'>,
  { command, decision, meant }: Denial<{ id: string }>,
  offers = false,
): Promise<void> {
  const { server } = decision;
  observe.ended(command.id, 'denied');
  return denials.record(
    {
      run: runIdOf(invocationIdOf(interaction.id), 1),
      kind: 'denied',
      actor,
      command: command.id,
      options: keptOptions(options),
      server: server && serverRef(server),
      meant,
      pressed: button === undefined ? undefined : pressedOf(ledger, button),
      place: { guild: place.guild, channel: place.channel },
      outcome: 'denied',
      reason: 'denied',
    },
    offers,
  );
}

/** Which button was pressed on whose run. Undefined: the card is about no run. */
function pressedOf(ledger: Pick<RunParts['ledger'], 'runs'>, button: string): Pressed | undefined {
  const [kind = '', id = '', n = ''] = button.split(/[:.]/, 3);
  const states = ledger.runs(id);
  const state = states.find(({ run }) => run === `${id}.${n}`) ?? states[0];
  const first = state && orderOf(state);
  if (first === undefined) return undefined;
  // Both press Confirm: `typed` has the server's name typed.
  return {
    button: kind === 'typed' ? 'confirm' : kind,
    run: first.run,
    of: { id: first.actor.id, name: first.actor.name },
  };
}
