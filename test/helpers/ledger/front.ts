import { relay } from '../tcp.ts';

/** What the proxy does with the commands that pass through it. */
export interface Orders {
  /** Breaks the connection at the next append: before the server has it, or after it has answered. */
  cut?: 'before' | 'after' | undefined;
  /** Answers WAITAOF for a server that does not know it: on disk, or not in time. Left out: the server answers. */
  synced?: boolean;
  /** How often WAITAOF was asked. */
  syncs: number;
}

/** A proxy in front of a real redis-server that can break connections in the middle of an append. */
export async function startFront(port: number): Promise<{ url: string; orders: Orders }> {
  const orders: Orders = { syncs: 0 };
  const { url } = await relay(port, () => {
    let cutting = false;
    let rest = Buffer.alloc(0);
    return {
      asked(bytes, server, end) {
        rest = Buffer.concat([rest, bytes]);
        for (let found = request(rest); found; found = request(rest)) {
          const { words, length } = found;
          const raw = rest.subarray(0, length);
          rest = rest.subarray(length);
          const cut = cutAt(words, orders);
          if (cut === 'before') return end();
          cutting ||= cut === 'after';
          server.write(toSend(words, orders) ?? raw);
        }
      },
      answered: (bytes, client, end) => (cutting ? end() : client.write(bytes)),
    };
  });
  return { url, orders };
}

/** Takes the order to cut when this is an append: a script with an entry among its arguments. */
function cutAt(words: readonly string[], orders: Orders): Orders['cut'] {
  if (words[0] !== 'EVAL' || words.length <= 13) return undefined;
  const { cut } = orders;
  orders.cut = undefined;
  return cut;
}

function toSend(words: readonly string[], orders: Orders): string | undefined {
  if (words[0] !== 'WAITAOF') return undefined;
  orders.syncs += 1;
  return orders.synced === undefined ? undefined : synced(orders.synced);
}

/** A command with WAITAOF's answer, so that it comes in its turn. */
const synced = (yes: boolean) => {
  const script = `return {${yes ? 1 : 0},0}`;
  return `*3\r\n$4\r\nEVAL\r\n$${script.length}\r\n${script}\r\n$1\r\n0\r\n`;
};

/** The first whole request in what a client has sent: a list of strings, each with its length before it. */
function request(bytes: Buffer): { words: string[]; length: number } | undefined {
  let at = 0;
  const line = (): string | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const text = bytes.toString('latin1', at, end);
    at = end + 2;
    return text;
  };
  const count = line();
  if (count === undefined) return undefined;
  const words: string[] = [];
  while (words.length < Number(count.slice(1))) {
    const size = Number(line()?.slice(1));
    if (Number.isNaN(size) || bytes.length < at + size + 2) return undefined;
    words.push(bytes.toString('latin1', at, at + size));
    at += size + 2;
  }
  return { words, length: at };
}
