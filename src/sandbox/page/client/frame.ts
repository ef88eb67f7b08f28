/** A window that nobody can see has no frames; what it says in its title is not to be older than this. */
const hiddenMs = 1000;

/** Does this with the next frame, once, however often it was asked for until then. */
export function onceAFrame(draw: () => void): () => void {
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    draw();
  };
  return () => {
    if (frame !== undefined) return;
    frame = requestAnimationFrame(now);
    timer = setTimeout(now, hiddenMs);
  };
}
