import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runClient } from '../../src/terminal/client.ts';
import { ownerOf } from '../../src/terminal/owner.ts';
import type { Ask } from '../../src/terminal/protocol.ts';
import type { ServerParts } from '../../src/terminal/server.ts';
import { folder } from './ledger/samples.ts';
import { until } from './messages.ts';
import { examplePolicy, openWorld, type WorldOptions } from './world.ts';

/** alice is a lead, bob on call and carol a viewer of the sandbox's guild, with the uids 1001 to 1003; 1004 is nobody. */
export const shellPolicy = `${examplePolicy}
shell:
  people:
    - { account: 1001, discord: "1400000000000000001", roles: [lead] }
    - { account: 1002, discord: "1400000000000000002", roles: [on-call] }
    - { account: 1003, discord: "1400000000000000003" }
`;

/** A socket in a folder of its own, to which come the accounts of `as`: the tests have one account alone. */
export function shellFor(): { shell: Pick<ServerParts, 'socket' | 'owner'>; as(uid: number): void } {
  let owner = 0;
  return {
    shell: { socket: join(folder(), 'shell.sock'), owner: (challenge) => ownerOf(challenge).then(() => owner) },
    as(uid) {
      owner = uid;
    },
  };
}

export interface Terminal {
  /** What was printed so far. */
  seen(): string;
  /** Waits until this was printed, and types a line, or presses Ctrl-C or Ctrl-D. */
  after(words: string, typed: string): Promise<void>;
  code: Promise<number>;
}

export const [interrupt, endOfInput] = ['\x03', '\x04'];

/** Somebody at a keyboard, or with `pipe` nobody. */
export function terminalAt(
  socket: string,
  ask: Ask,
  { pipe = false, ...more }: { pipe?: boolean; json?: boolean; sudo?: string; patience?: number } = {},
): Terminal {
  let seen = '';
  const out = (text: string): void => {
    seen += text;
  };
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.on('data', (chunk) => out(String(chunk)));
  const terminal = pipe ? undefined : { input, output };
  const code = runClient({ ...{ json: false, sudo: undefined, ...more }, socket, ask, terminal, out, say: out });
  return {
    seen: () => seen,
    async after(words, typed) {
      await until(
        () => seen.includes(words),
        () => `"${words}" in ${seen}`,
      );
      input.write([interrupt, endOfInput].includes(typed) ? typed : `${typed}\r`);
    },
    code,
  };
}

/** A bot at whose terminal people are: alice first, who has the account 1001. */
export async function openShell(options: WorldOptions = {}) {
  const { shell, as } = shellFor();
  const world = await openWorld({ policy: shellPolicy, shell, ...options });
  as(1001);
  type Types = (
    ...of: Parameters<typeof terminalAt> extends [string, ...infer More] ? More : never
  ) => ReturnType<typeof terminalAt>;
  const opens: Types = (...of) => terminalAt(shell.socket, ...of);
  return { world, as, opens };
}
