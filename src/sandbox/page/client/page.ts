import type { PageMessage } from '../protocol.ts';
import { kinds } from './commands.ts';
import type { Act } from './post.ts';
import type { State } from './state.ts';
import type { Named } from './validate.ts';

/** The context of every part of the page: the state, how to change it, and how to act in the sandbox. */
export interface Page {
  readonly state: State;
  set(change: Partial<State>): void;
  act(act: Act): Promise<unknown>;
  /** Puts the focus on the element with this id once it is drawn. */
  focus(id: string): void;
}

export type Person = { id: string; name: string; roles: string[]; bot: boolean };

export const personNamed = ({ state }: Page, name: string): Person | undefined =>
  state.view?.people.find((person) => person.name === name);

/** The current channel, by id or by the name in the address. */
export const channelNow = ({ state: { view, channel } }: Page) =>
  view?.channels.find((one) => one.id === channel || one.name === channel) ?? view?.channels[0];

/** The messages that this person sees in the channel, without dismissed failures. */
export function messagesNow(page: Page): readonly PageMessage[] {
  const all = page.state.view?.messages[channelNow(page)?.id ?? ''] ?? [];
  return all.filter(({ message }) => !page.state.dismissed.has(message.id));
}

/** The members that an option of this kind accepts. */
export function namedIn({ state: { view } }: Page, kind: number): readonly Named[] {
  if (view === undefined) return [];
  if (kind === kinds.user) return view.people;
  if (kind === kinds.channel) return view.channels;
  if (kind === kinds.role) return view.roles;
  return [...view.people, ...view.roles];
}

/** The name for an id in a text, with its prefix. */
export function nameOf({ state: { view } }: Page, kind: 'user' | 'role' | 'channel', id: string): string {
  const all = { user: view?.people, role: view?.roles, channel: view?.channels }[kind] ?? [];
  const name = all.find((one) => one.id === id)?.name ?? `unknown-${kind}`;
  return `${kind === 'channel' ? '#' : '@'}${name}`;
}

/** How many switches are on, as far as known. One-time actions do not count. */
export const switchesOn = ({ state: { behind, broken } }: Page): number =>
  behind?.switches.filter(({ kind, on }) => kind === 'toggle' && on).length ?? broken;

/** The address of the current view: a link to it opens the same in another window. */
export const addressOf = (as: string, channel: string, message?: string): string =>
  `#${[as, channel, ...(message === undefined ? [] : [message])].map(encodeURIComponent).join('/')}`;

/** The person, channel and message in an address. Missing or unreadable parts are undefined. */
export function placeOf(hash: string): Record<'as' | 'channel' | 'target', string | undefined> {
  const [as, channel, target] = hash.slice(1).split('/').map(readable);
  return { as, channel, target };
}

/** Undefined for an empty or truncated part: a person may have typed it. */
function readable(part: string): string | undefined {
  try {
    return decodeURIComponent(part) || undefined;
  } catch {
    return undefined;
  }
}

/** Performs an act and shows a refusal. Returns whether it succeeded. */
export async function attempt(page: Page, act: Act): Promise<boolean> {
  try {
    await page.act(act);
    page.set({ problem: undefined });
    return true;
  } catch (error) {
    page.set({ problem: error instanceof Error ? error.message : String(error) });
    return false;
  }
}
