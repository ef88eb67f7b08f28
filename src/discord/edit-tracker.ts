import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Payload } from './render.ts';

/** A message as Discord reports it: in the response to an edit, and in events. */
const messageShape = z.object({
  id: z.string(),
  content: z.string(),
  embeds: z.array(z.object({ description: z.string().nullish(), footer: z.object({ text: z.string() }).nullish() })),
  components: z
    .array(z.object({ components: z.array(z.object({ type: z.number(), custom_id: z.string().nullish() })).nullish() }))
    .nullish(),
  timestamp: z.string().nullish(),
  edited_timestamp: z.string().nullish(),
});
type Message = z.infer<typeof messageShape>;

interface ShownText {
  run: string | undefined;
  text: string;
  /** The time of the edit by Discord's clock, in ms. */
  at: number;
  /** This process's last edit, and how many foreign edits followed it. */
  own: string;
  overwritten: number;
}

/** How many messages to remember, those last in use. */
const maxRemembered = 10_000;
/** After this many foreign edits to the same content, another release of the bot does it on purpose. */
const maxForeignEdits = 3;

export type EditTracker = ReturnType<typeof createEditTracker>;

/**
 * Tracks what the messages show that this process edits. A late edit, such as one that was retried after a broken
 * connection, can overwrite a newer one, even of another process. Discord sends an event for every edit: for one that
 * is not this process's newest, this calls back with the run of the card.
 */
export function createEditTracker(overwritten: (run: string) => void) {
  const remembered = new LRUCache<string, ShownText>({ max: maxRemembered });
  /** Messages that this process is editing, with the newest event received meanwhile. */
  const inProgress = new Map<string, Message | undefined>();

  /** Remembers an edit of this process. */
  function rememberOwn(message: Message, run: string | undefined): void {
    const { id } = message;
    const text = visibleOf(message);
    const before = remembered.get(id);
    const overwritten = before?.own === text ? before.overwritten : 0;
    remembered.set(id, { run, text, at: timeOf(message), own: text, overwritten });
  }

  function judge(message: Message): void {
    const before = remembered.get(message.id);
    const text = visibleOf(message);
    // An edit older than this process's newest one is already overwritten.
    if (before === undefined || timeOf(message) < before.at || text === before.text) return;
    const times = before.overwritten + 1;
    remembered.set(message.id, { ...before, text, at: timeOf(message), overwritten: times });
    if (before.run !== undefined && times <= maxForeignEdits) overwritten(before.run);
  }

  return {
    /** An event: one of the bot's messages was edited, by any process. */
    onUpdate(update: unknown): void {
      const { data: message } = messageShape.safeParse(update);
      if (message === undefined) return;
      if (inProgress.has(message.id)) inProgress.set(message.id, message);
      else judge(message);
    },
    /** Runs an edit of a message to the card of a run, and remembers Discord's response. Rejects if the edit does. */
    async track(
      { id, run }: { id: string | undefined; run: string | undefined },
      edit: () => Promise<unknown>,
    ): Promise<void> {
      if (id !== undefined) inProgress.set(id, undefined);
      try {
        const { data: message } = messageShape.safeParse(await edit());
        if (message !== undefined) rememberOwn(message, run);
      } finally {
        const update = id === undefined ? undefined : inProgress.get(id);
        if (id !== undefined) inProgress.delete(id);
        if (update !== undefined) judge(update);
      }
    },
    /** Remembers the response to a read of a message, which is the card of a run. */
    onRead(answer: unknown, run: string | undefined): void {
      const { data: message } = messageShape.safeParse(answer);
      if (message === undefined) return;
      const before = remembered.get(message.id);
      const at = timeOf(message);
      if (before !== undefined && at < before.at) return;
      remembered.set(message.id, { run, text: visibleOf(message), at, own: '', overwritten: before?.overwritten ?? 0 });
    },
    /** Whether another process has edited the message to exactly this: then it counts as this process's own edit. */
    adopt(id: string | undefined, payload: Payload): boolean {
      const face = id === undefined ? undefined : remembered.get(id);
      if (id === undefined || face === undefined || payload.attachments.length > 0) return false;
      const text = visibleOf(payload);
      if (face.text !== text || face.own === text) return false;
      remembered.set(id, { ...face, own: text, overwritten: 0 });
      return true;
    },
  };
}

/** When it was last changed. */
const timeOf = ({ timestamp, edited_timestamp: edited }: Message): number => Date.parse(edited ?? timestamp ?? '');

/** The visible text and the buttons. */
function visibleOf({ content, embeds, components }: Pick<Message, 'content' | 'embeds' | 'components'>): string {
  const texts = embeds.map(({ description, footer }) => [description ?? '', footer?.text ?? '']);
  const buttons = (components ?? []).flatMap((row) => (row.components ?? []).map((part) => part.custom_id ?? ''));
  return JSON.stringify([content, texts, buttons]);
}
