/** A hidden window has no animation frames. This timer keeps its title from going stale. */
const hiddenMs = 1000;

/** Runs this with the next frame, once, however often it was requested. */
export function oncePerFrame(draw: () => void): () => void {
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
