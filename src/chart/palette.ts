/** Its own background, for Discord's dark and light. Contrasts: text 4.5 to `card`, fills 3 to `track`, `card`. */
export const palette = {
  card: '#16181d',
  edge: '#5b616e',
  line: '#2e323b',
  text: '#f2f4f8',
  soft: '#aab1bf',
  track: '#2b2f38',
  usual: '#4da3ff',
  high: '#ffb84d',
  over: '#ff7b72',
  /** Between the stripes of the part beyond the limit. */
  under: '#5c1f22',
  unlimited: '#9aa5b8',
  limit: '#ffffff',
} as const;
