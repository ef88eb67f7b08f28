import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, FromDiscord, ToDiscord, Typed } from './protocol.ts';

/** What is typed. */
export interface Task {
  kind: Typed['kind'];
  command: string;
  /** Left out: each time another server. */
  options?: (n: number) => Readonly<Record<string, string>>;
  expects?: string;
}
export const read: Task = { kind: 'command', command: 'firewall show', expects: 'Firewall' };
export const change: Task = { kind: 'command', command: 'power boot', expects: 'ACCEPTED' };
export const keystroke: Task = { kind: 'keystroke', command: 'power boot' };

/** What came of a slice of load. Times in ms. */
export interface Served {
  acknowledged: number[];
  final: number[];
  /** What came instead of what was expected, and how often nothing came. */
  wrong: string[];
  lost: number;
  /** From the first interaction to the last answer. */
  ms: number;
}

const people = 8_000;
const servers = 1_000;
const onServer = (n: number) => ({ server: `s-${(n % servers) + 1}` });
const patience = 20_000;

const nothingYet = (): Served => ({ acknowledged: [], final: [], wrong: [], lost: 0, ms: 0 });

/** Where what is typed comes from. */
interface Source {
  start(send: (count: number) => void): void;
  /** How many more to type now that one is answered. */
  onAnswer(): number;
  /** Whether nothing more will come. */
  isOver(): boolean;
}

/** What becomes of one interaction; the last call is the one with its end. */
type Heard = (what: Answer[1], ms: number, text: string, isEnd: boolean) => void;

/** The load generator, in this process, on one fake Discord. */
export interface Load {
  type(task: Task, count: number, heard: Heard): void;
}

export function createLoad(discord: ChildProcess): Load {
  let n = 0;
  const open = new Map<number, { heard: Heard; isAnswered: boolean }>();
  const hear = ([of, what, ms, text = '']: Answer): void => {
    const one = open.get(of);
    const isEnd = one?.isAnswered === true || what !== 'acknowledged';
    if (isEnd) open.delete(of);
    one?.heard(what, ms, text, isEnd);
  };
  discord.on('message', (message: FromDiscord) => {
    if ('answers' in message) message.answers.forEach(hear);
  });
  const tell = (message: ToDiscord): void => void discord.send(message);

  /** No two at once are on one server, and nobody types too often. */
  function typed({ kind, command, options = onServer, expects }: Task): Typed {
    n += 1;
    const given = { n, kind, command, options: options(n), person: n % people };
    return expects === undefined ? given : { ...given, expects };
  }

  return {
    type(task, count, heard) {
      const all = Array.from({ length: count }, () => typed(task));
      for (const one of all) open.set(one.n, { heard, isAnswered: task.expects === undefined });
      tell({ typed: all });
    },
  };
}

function note(served: Served, what: Answer[1], ms: number, text: string): void {
  if (what === 'wrong') served.wrong.push(text);
  else served[what].push(ms);
}

/** Types until the source has no more and everything is answered, or nothing has been answered for long. */
function run(load: Load, task: Task, source: Source, longest = patience): Promise<Served> {
  const served = nothingYet();
  const from = performance.now();
  let open = 0;
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve({ ...served, lost: open, ms: performance.now() - from });
    };
    const timer = setTimeout(end, longest);
    const send = (count: number): void => {
      if (count <= 0) return;
      open += count;
      load.type(task, count, heard);
    };
    const heard: Heard = (what, ms, text, isEnd) => {
      note(served, what, ms, text);
      if (!isEnd) return;
      open -= 1;
      timer.refresh();
      send(source.onAnswer());
      if (open === 0 && source.isOver()) end();
    };
    source.start(send);
  });
}

/** So many at once for so long: whenever one has ended, the next is typed. */
export function closed(load: Load, task: Task, inFlight: number, ms: number): Promise<Served> {
  const until = performance.now() + ms;
  const isOver = (): boolean => performance.now() >= until;
  return run(load, task, { start: (send) => send(inFlight), onAnswer: () => (isOver() ? 0 : 1), isOver });
}

/** So many at once until there were so many in all. */
export function counted(load: Load, task: Task, inFlight: number, total: number): Promise<Served> {
  let sent = 0;
  const more = (count: number): number => {
    const next = Math.min(count, total - sent);
    sent += next;
    return next;
  };
  const isOver = (): boolean => sent === total;
  return run(load, task, { start: (send) => send(more(inFlight)), onAnswer: () => more(1), isOver });
}

/** So many a second for so long, whatever is answered. */
export function paced(load: Load, task: Task, perSecond: number, ms: number): Promise<Served> {
  const total = Math.round((perSecond * ms) / 1000);
  const from = performance.now();
  let sent = 0;
  const start = (send: (count: number) => void): void => {
    const due = Math.min(total, Math.ceil(((performance.now() - from) * perSecond) / 1000 + 0.001)) - sent;
    sent += due;
    send(due);
    if (sent < total) setTimeout(() => start(send), 1_000 / Math.min(perSecond, 200));
  };
  return run(load, task, { start, onAnswer: () => 0, isOver: () => sent === total });
}

/** One task, and beside it another every so many ms until that is answered. */
export async function beside(
  load: Load,
  task: Task,
  other: Task,
  every: number,
  longest: number,
): Promise<{ looked: Served; typed: Served }> {
  const typed = nothingYet();
  let open = 0;
  const timer = setInterval(() => {
    open += 1;
    load.type(other, 1, (what, ms, text) => {
      open -= 1;
      note(typed, what, ms, text);
    });
  }, every);
  const looked = await run(load, task, { start: (send) => send(1), onAnswer: () => 0, isOver: () => true }, longest);
  clearInterval(timer);
  const until = performance.now() + patience;
  while (open > 0 && performance.now() < until) await delay(every);
  return { looked, typed };
}
