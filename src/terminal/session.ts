import { type Card, md, trusted } from '../card.ts';
import { type Command, readLine } from '../command.ts';
import { type Actor, Invalid, shellChannel } from '../outcome.ts';
import type { ShellPerson } from '../policy/schema.ts';
import type { Records } from '../runs/book.ts';
import { isOpenQuestion, orderOf, type RunState } from '../runs/state.ts';
import type { Runner } from '../shell/index.ts';
import { type Account, actorOf, type RoleSource, rowOf, strangerOf } from './people.ts';
import type { Ask, FromBot } from './protocol.ts';
import { type At, buttonsOf, codeOf, createScreen, type Screen, type TerminalCards } from './screen.ts';

export interface SessionParts extends RoleSource {
  guild: string;
  commands: readonly Command[];
  /** The line that asks what is open. */
  status: string;
  /** Those of others. */
  rolesNow(person: string): Promise<readonly string[]>;
  runner: Pick<Runner, 'command' | 'click' | 'dryRun' | 'offers' | 'stranger'>;
  /** Nobody, once the policy has no shell. */
  people(): readonly ShellPerson[];
  roleName(id: string): string | undefined;
  cards: TerminalCards;
  ledger: Pick<Records, 'runs'>;
  cardOf(id: string): Card | undefined;
  now(): number;
}

/** One account at one terminal. Who that is, and with which roles, is found out at each step again. */
export interface Session {
  /** False: the policy does not know them, and nothing more comes. */
  begin(ask: Ask): Promise<boolean>;
  press(button: string, typed?: string): Promise<void>;
  end(): void;
}

interface Here extends SessionParts {
  screen: Screen;
  account: Account;
  isTerminal: boolean;
}

export function createSession(
  parts: SessionParts,
  account: Account,
  isTerminal: boolean,
  send: (message: FromBot) => void,
): Session {
  const accountOf = (id: string): string | undefined =>
    parts
      .people()
      .find(({ discord }) => discord === id)
      ?.account.toString();
  const screen = createScreen({ ...parts, names: { person: accountOf, role: parts.roleName }, isTerminal, send });
  const here = { ...parts, screen, account, isTerminal };
  return {
    async begin(ask) {
      try {
        const actor = await who(here);
        if (actor === undefined) {
          await stranger(here, lineOf(ask));
          return false;
        }
        if (ask.what === 'status') await type(here, actor, { line: parts.status });
        else if (ask.what === 'do') await type(here, actor, ask);
        else await look(here, actor, ask.what, ask.run);
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        screen.say('invalid', error.option, trusted(`${error.rule}.`));
      }
      return true;
    },
    press: (button, typed) => press(here, button, typed),
    end: screen.end,
  };
}

const lineOf = (ask: Ask): string =>
  ask.what === 'do' ? ask.line : [ask.what, ...('run' in ask ? [ask.run] : [])].join(' ');

/** The person with the roles of now. Undefined: the policy does not know them. */
function who({ people, account, ...roles }: Here): Promise<Actor | undefined> {
  const row = rowOf(people(), account);
  return row === undefined ? Promise.resolve(undefined) : actorOf(account, row, roles);
}

/** Whatever they typed is refused, and recorded. */
async function stranger({ screen, account, runner, guild }: Here, typed: string): Promise<void> {
  const actor = strangerOf(account);
  screen.say(
    'denied',
    'the shell',
    md`The account ${actor.name} has no access to this shell.`,
    trusted('Ask whoever keeps the policy to add it under `shell.people`.'),
  );
  const { interaction } = screen.answers();
  await runner.stranger({ interaction, actor, place: { guild, channel: shellChannel }, options: { typed } });
}

type Typed = Pick<Ask & { what: 'do' }, 'line' | 'reason' | 'dryRun'>;

async function type(here: Here, actor: Actor, { line, reason, dryRun }: Typed): Promise<void> {
  const { screen, runner, commands, guild } = here;
  const typed = readLine(commands, line, (text) => named(here, text));
  const options = { ...typed.options, ...(reason === undefined ? {} : { reason }) };
  const invocation = { ...screen.answers(), ...typed, options, place: { guild, channel: shellChannel }, actor };
  if (dryRun) return runner.dryRun(invocation);
  const { danger } = commands.find(({ id }) => id === typed.command) ?? {};
  if (!here.isTerminal && (danger === 'write' || danger === 'destructive'))
    return screen.say('invalid', 'this command', trusted('A change needs a terminal at which you can confirm it.'));
  await runner.command(invocation);
}

/** A person whom an option names, by account or Discord id. */
function named({ people, roleIds }: Here, text: string): Actor | undefined {
  const row = people().find(({ account, discord }) => [String(account), discord].includes(text));
  return row && { id: row.discord, name: String(row.account), roles: row.roles?.flatMap(roleIds) ?? [] };
}

/** What waits for an approval or can be cancelled, wherever it was asked: its card, with that button alone. */
async function look(here: Here, actor: Actor, what: 'approve' | 'cancel', typed: string): Promise<void> {
  const { screen, ledger, cardOf, runner } = here;
  if (!here.isTerminal)
    return screen.say('invalid', what, trusted('This needs a terminal at which you can confirm it.'));
  const [id = ''] = typed.split('.', 1);
  const card = cardOf(id);
  const [state] = ledger.runs(id);
  const place = state && orderOf(state)?.place;
  const [button] = card === undefined ? [] : buttonsOf(card, what);
  const none = md`No question of run ${typed} ${trusted(what === 'approve' ? 'waits for an approval' : 'is open')}.`;
  if (card === undefined || place === undefined || button === undefined) return screen.say('not-sent', what, none);
  const { guild, channel, message = '' } = place;
  const at = { guild, channel, message };
  const pressed = {
    ...{ ...screen.answers({}, at), actor, place: at, isPrivate: false, offered: true, button: button.id },
    rolesNow: here.rolesNow,
  };
  // Before they see the question: whoever may not is told why, or nothing.
  const offered = await runner.offers(pressed);
  if (offered === 'offered') screen.show(card, at, { what });
  else if (offered === 'unseen') screen.say('not-sent', what, none);
}

async function press(here: Here, button: string, typed: string | undefined): Promise<void> {
  const { screen, runner } = here;
  const place = screen.placeOf(button);
  // Discord is not asked about whoever presses what was never offered here.
  if (place === undefined) return;
  const actor = await who(here);
  if (actor === undefined) return stranger(here, button.split(':', 1).join());
  // A card here says itself how it goes on; what began with no card is answered by one.
  const isHere = screen.isHere(place);
  const before = screen.shown();
  const by = screen.answers(isHere ? { beside: true } : {}, place);
  const pressed = { ...by, actor, place, isPrivate: false, offered: true, button, rolesNow: here.rolesNow };
  await runner.click(typed === undefined ? pressed : { ...pressed, typed });
  if (!isHere && screen.shown() === before) await standing(here, actor, place, button);
}

/** A request that they took on is their own question now. */
const isUnconfirmed = (state: RunState): boolean => isOpenQuestion(state) && state.confirmed === undefined;

/** How a question stands after a press on it that was recorded. */
async function standing({ screen, ledger, cardOf }: Here, actor: Actor, at: At, button: string): Promise<void> {
  const [kind = '', id = ''] = button.split(/[:.]/, 2);
  const states = ledger.runs(id);
  const isTheirs = states.some((state) => isUnconfirmed(state) && state.asked?.actor.id === actor.id);
  const card = isTheirs ? await cardOf(id) : undefined;
  if (card !== undefined) return screen.show(card, at);
  if (states.some(isOpenQuestion)) {
    screen.say('accepted', kind, md`Recorded. Run ${id} waits for one more approval.`);
    return;
  }
  const outcomes = states.map(({ outcome }) => outcome?.outcome ?? 'unknown');
  const [worst = 'unknown'] = outcomes.toSorted((a, b) => (codeOf({ state: b }) ?? 0) - (codeOf({ state: a }) ?? 0));
  // Whoever cancels it wanted that.
  const state = kind === 'cancel' && worst === 'cancelled' ? 'finished' : worst;
  screen.say(state, kind, ...states.map(({ run }, i) => md`Run ${run}: ${trusted(outcomes[i] ?? 'unknown')}.`));
}
