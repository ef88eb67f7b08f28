import type { Behind, View } from '../protocol.ts';
import type { Choice } from './commands.ts';
import { type Draft, emptyDraft } from './draft.ts';

/** What the bot answered for the option that is being written. */
interface Completion {
  /** The line and the option that it is for. */
  asked: string;
  state: 'loading' | 'ready' | 'failed';
  choices: readonly Choice[];
}

export type Theme = 'system' | 'dark' | 'light';
export type Side = 'members' | 'behind' | 'none';

/** Everything that the page shows. `view` and `behind` come from the server whole; the rest is this window's own. */
export interface State {
  as: string;
  /** An id, or the name with which the page was opened. */
  channel: string;
  /** The message to which a link leads, until it was scrolled to. */
  target: string | undefined;
  view: View | undefined;
  behind: Behind | undefined;
  /** Undefined until it is known for the first time. */
  connected: boolean | undefined;
  side: Side;
  /** How many switches were on when the panel at the side was left. */
  broken: number;
  /** What lies over the page where there is little room. */
  drawer: 'channels' | 'side' | undefined;
  theme: Theme;
  draft: Draft;
  /** The highlighted suggestion; -1 is none. */
  chosen: number;
  /** Escape puts the suggestions away until something is typed. */
  shut: boolean;
  completion: Completion | undefined;
  history: readonly Draft[];
  /** How far back in the history, 0 is what is being composed. */
  back: number;
  /** What the server refused. */
  problem: string | undefined;
  /** Whose menu is open, and where, in pixels. */
  menu: { message: string; x: number; y: number } | undefined;
  editing: { message: string; text: string } | undefined;
  /** Buttons that were pressed, as message/customId, until the message changes. */
  pressed: ReadonlySet<string>;
  /** Failures that were dismissed: they are no messages, so nobody else could forget them. */
  dismissed: ReadonlySet<string>;
  examples: boolean;
  /** The label of the switch to look at. */
  pointed: string | undefined;
  /** Messages that came while the reader was further up. */
  unseen: number;
  /** The newest message that was looked at, by channel. */
  read: ReadonlyMap<string, string>;
  /** What a screen reader is told. */
  said: string;
}

export function firstState(as: string, channel: string, theme: Theme): State {
  return {
    as,
    channel,
    target: undefined,
    view: undefined,
    behind: undefined,
    connected: undefined,
    side: 'members',
    broken: 0,
    drawer: undefined,
    theme,
    draft: emptyDraft,
    chosen: 0,
    shut: false,
    completion: undefined,
    history: [],
    back: 0,
    problem: undefined,
    menu: undefined,
    editing: undefined,
    pressed: new Set(),
    dismissed: new Set(),
    examples: false,
    pointed: undefined,
    unseen: 0,
    read: new Map(),
    said: '',
  };
}
