import type { Click, ClickReply, Invocation, Reply } from './parts.ts';

/** Tells how long it took until Discord had a first answer. */
type Done = (ms: number) => void;

/** The same invocation or click, whose first answer is timed from now on. */
export function timed<T extends Invocation | Click>(asked: T, done: Done): T {
  const begun = performance.now();
  const after = async <R>(answering: Promise<R>): Promise<R> => {
    const answer = await answering;
    done(performance.now() - begun);
    return answer;
  };
  return { ...asked, reply: 'defer' in asked.reply ? click(asked.reply, after) : command(asked.reply, after) };
}

type After = <R>(answering: Promise<R>) => Promise<R>;

const command = ({ refuse, think, show, acknowledge, ask }: Reply, after: After): Reply => ({
  show,
  think: (audience) => after(think(audience)),
  refuse: (card) => after(refuse(card)),
  acknowledge: (card, audience) => after(acknowledge(card, audience)),
  ask: (modal) => after(ask(modal)),
});

const click = (reply: ClickReply, after: After): ClickReply => ({
  ...reply,
  ...command(reply, after),
  defer: () => after(reply.defer()),
  share: (actor) => after(reply.share(actor)),
});
