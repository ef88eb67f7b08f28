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

/** What a message shows. */
interface ShownText {
  /** Of the card that it is. */
  run: string | undefined;
  text: string;
  /** Since when, by Discord's clock, in ms. */
  at: number;
  /** What this process put there last, and how often something else was there since. */
  own: string;
  overwritten: number;
}

/** So many messages are remembered, those that were edited last. */
const remembered = 10_000;
/** Whoever covers the same thing more often does so on purpose: another release of the bot, which says it otherwise. */
const most = 3;

export type Shown = ReturnType<typeof createShown>;

/**
 * What the messages show that this process edits. An edit that Discord does late, such as one whose connection broke
 * and that was sent again, covers a newer one, be it another process's. Discord tells of every edit: one that is not
 * this process's newest is called back, with the run of the card.
 */
export function createShown(overwritten: (run: string) => void) {
  const faces = new Map<string, ShownText>();
  /** Messages that are being edited here, with the newest update reported for each meanwhile. */
  const underWay = new Map<string, Message | undefined>();

  function keep(id: string, face: ShownText): void {
    faces.delete(id);
    faces.set(id, face);
    const [oldest] = faces.keys();
    if (faces.size > remembered && oldest !== undefined) faces.delete(oldest);
  }

  /** Of an edit of this process. */
  function keepOwn(message: Message, run: string | undefined): void {
    const { id } = message;
    const text = faceOf(message);
    const before = faces.get(id);
    const overwritten = before?.own === text ? before.overwritten : 0;
    keep(id, { run, text, at: timeOf(message), own: text, overwritten });
  }

  function judge(message: Message): void {
    const before = faces.get(message.id);
    const text = faceOf(message);
    // What is older than the newest edit of this process is covered by that.
    if (before === undefined || timeOf(message) < before.at || text === before.text) return;
    const times = before.overwritten + 1;
    keep(message.id, { ...before, text, at: timeOf(message), overwritten: times });
    if (before.run !== undefined && times <= most) overwritten(before.run);
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
        if (message !== undefined) keepOwn(message, run);
      } finally {
        const news = id === undefined ? undefined : underWay.get(id);
        if (id !== undefined) underWay.delete(id);
        if (news !== undefined) judge(news);
      }
    },
    /** What Discord answers when it is asked what a message shows, which is the card of a run. */
    seen(answer: unknown, run: string | undefined): void {
      const { data: message } = messageShape.safeParse(answer);
      if (message === undefined) return;
      const before = faces.get(message.id);
      const at = timeOf(message);
      if (before !== undefined && at < before.at) return;
      keep(message.id, { run, text: faceOf(message), at, own: '', overwritten: before?.overwritten ?? 0 });
    },
    /** Whether somebody else has edited that message to just this: then it is as good as this process's own. */
    adopts(id: string | undefined, payload: Payload): boolean {
      const face = id === undefined ? undefined : faces.get(id);
      const text = faceOf(payload);
      if (id === undefined || face?.text !== text || face.own === text || payload.attachments.length > 0) return false;
      keep(id, { ...face, own: text, overwritten: 0 });
      return true;
    },
  };
}

const timeOf = ({ edited_timestamp }: Message): number => Date.parse(edited_timestamp);

/** What a person reads and can press. */
function faceOf({ content, embeds, components }: Pick<Message, 'content' | 'embeds' | 'components'>): string {
  const texts = embeds.map(({ description, footer }) => [description ?? '', footer?.text ?? '']);
  const buttons = (components ?? []).flatMap((row) => (row.components ?? []).map((part) => part.custom_id ?? ''));
  return JSON.stringify([content, texts, buttons]);
}
