/** Discord's id of the interaction in base 36; a run's adds the number of its server. The same gives the same. */
export const invocationIdOf = (interaction: string): string => BigInt(interaction).toString(36);

/** `n` counts the servers of an invocation from 1: `9kq3v1x7m2a.1`. */
export const runIdOf = (invocationId: string, n: number): string => `${invocationId}.${n}`;

export const invocationOf = (run: string): string => run.slice(0, run.lastIndexOf('.'));

export const numberOf = (run: string): number => Number(run.slice(run.lastIndexOf('.') + 1));

/** Discord's id of the interaction. */
export const interactionOf = (invocationId: string): string => {
  let id = 0n;
  for (const digit of invocationId) id = id * 36n + BigInt(Number.parseInt(digit, 36));
  return String(id);
};

/** Of an invocation's id, in which it is found: FNV-1a, never 0. Two may rarely share one. */
export function threadOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash === 0 ? 1 : hash | 0;
}
