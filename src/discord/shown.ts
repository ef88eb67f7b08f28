import { z } from 'zod';
import type { Payload } from './render.ts';

/** A message as Discord says that it is: in its answer to an edit, and when it tells of one. */
const messageShape = z.object({
  id: z.string(),
  content: z.string(),
  embeds: z.array(z.object({ description: z.string().nullish(), footer: z.object({ text: z.string() }).nullish() })),
  components: z
    .array(z.object({ components: z.array(z.object({ type: z.number(), custom_id: z.string().nullish() })).nullish() }))
    .nullish(),
  edited_timestamp: z.string(),
});
type Message = z.infer<typeof messageShape>;

/** What a message shows: since when by Discord's clock, in ms, and whether somebody else edited it to that. */
interface Face {
  /** Of the card that it is. */
  run: string | undefined;
  text: string;
  at: number;
  isOthers: boolean;
}

/** So many messages are remembered, those that were edited last. */
const remembered = 10_000;

export type Shown = ReturnType<typeof createShown>;

/**
 * What the messages show that this process edits. An edit that Discord does late, such as one whose connection broke
 * and that was sent again, covers a newer one, be it another process's. Discord tells of every edit: one that is not
 * this process's newest is called back, with the run of the card.
 */
export function createShown(overwritten: (run: string) => void) {
  const faces = new Map<string, Face>();
  /** Messages that are being edited here, with the newest that was told of each meanwhile. */
  const underWay = new Map<string, Message | undefined>();

  function keep({ id, ...of }: Message, run: string | undefined, isOthers: boolean): void {
    faces.delete(id);
    faces.set(id, { run, text: faceOf(of), at: Date.parse(of.edited_timestamp), isOthers });
    const [oldest] = faces.keys();
    if (faces.size > remembered && oldest !== undefined) faces.delete(oldest);
  }

  function judge(message: Message): void {
    const before = faces.get(message.id);
    // What is older than the newest edit of this process is covered by that.
    if (before === undefined || Date.parse(message.edited_timestamp) < before.at) return;
    if (faceOf(message) === before.text) return;
    keep(message, before.run, true);
    if (before.run !== undefined) overwritten(before.run);
  }

  return {
    /** Discord tells of an edit of one of the bot's messages, by whichever process. */
    told(update: unknown): void {
      const { data: message } = messageShape.safeParse(update);
      if (message === undefined) return;
      if (underWay.has(message.id)) underWay.set(message.id, message);
      else judge(message);
    },
    /** Does an edit of that message to the card of a run, and remembers what Discord answers. Rejects as that does. */
    async editing(
      { id, run }: { id: string | undefined; run: string | undefined },
      edit: () => Promise<unknown>,
    ): Promise<void> {
      if (id !== undefined) underWay.set(id, undefined);
      try {
        const { data: message } = messageShape.safeParse(await edit());
        if (message !== undefined) keep(message, run, false);
      } finally {
        const news = id === undefined ? undefined : underWay.get(id);
        if (id !== undefined) underWay.delete(id);
        if (news !== undefined) judge(news);
      }
    },
    /** Whether somebody else has edited that message to just this. */
    isDone(id: string | undefined, payload: Payload): boolean {
      const face = id === undefined ? undefined : faces.get(id);
      return face?.isOthers === true && payload.attachments.length === 0 && face.text === faceOf(payload);
    },
  };
}

/** What a person reads and can press. */
function faceOf({ content, embeds, components }: Pick<Message, 'content' | 'embeds' | 'components'>): string {
  const texts = embeds.map(({ description, footer }) => [description ?? '', footer?.text ?? '']);
  const buttons = (components ?? []).flatMap((row) => (row.components ?? []).map((part) => part.custom_id ?? ''));
  return JSON.stringify([content, texts, buttons]);
}
