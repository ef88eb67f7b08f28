/** Pauses in ms that double, from the first to the longest. The random part keeps several bots from trying in step. */
export function* pauses({ first = 1_000, most = 60_000 } = {}): Generator<number, never> {
  for (let pause = first; ; pause = Math.min(2 * pause, most)) yield pause * (0.75 + Math.random() / 4);
}
