import type { Behind, View } from '../protocol.ts';
import type { Choice } from './commands.ts';
import { type Draft, emptyDraft } from './draft.ts';

/** The bot's suggestions for the active option. */
interface Completion {
  /** The line and the option that they are for. */
  asked: string;
  state: 'loading' | 'ready' | 'failed';
  choices: readonly Choice[];
}

export type Theme = 'system' | 'dark' | 'light';
export type Side = 'members' | 'behind' | 'none';

/** Everything that the page shows. `view` and `behind` come from the server; the rest is local to this window. */
export interface State {
  as: string;
  /** An id, or the name in the address. */
  channel: string;
  /** The linked message, until the page has scrolled to it. */
  target: string | undefined;
  view: View | undefined;
  behind: Behind | undefined;
  /** Undefined until first known. */
  connected: boolean | undefined;
  side: Side;
  /** How many switches were on when the side panel was closed. */
  broken: number;
  /** What overlays the page if there is little room. */
  drawer: 'channels' | 'side' | undefined;
  theme: Theme;
  draft: Draft;
  chosen: number;
  /** Escape hides the suggestions until something is typed. */
  shut: boolean;
  completion: Completion | undefined;
  history: readonly Draft[];
  /** The position in the history; 0 is the current draft. */
  back: number;
  problem: string | undefined;
  /** The message whose menu is open, and its position in pixels. */
  menu: { message: string; x: number; y: number } | undefined;
  editing: { message: string; text: string } | undefined;
  /** Pressed buttons, as message/customId, until the message changes. */
  pressed: ReadonlySet<string>;
  /** Dismissed failures. They are no messages, so only this window can remember them. */
  dismissed: ReadonlySet<string>;
  examples: boolean;
  pointed: string | undefined;
  /** Messages that arrived while the reader was scrolled up. */
  unseen: number;
  /** The newest message seen, by channel. */
  read: ReadonlyMap<string, string>;
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
