import { html, svg, type TemplateResult } from 'lit';

/** Outlines on a grid of 24, independent of fonts. */
const outlines = {
  spark: 'M12 3l2 6.5L21 12l-7 2.5L12 21l-2-6.5L3 12l7-2.5zM19 3v4M17 5h4',
  wrench: 'M15 4a5 5 0 0 0-4.6 7L4 17.4 6.6 20l6.4-6.4A5 5 0 0 0 20 9l-3 3-3-1-1-3 3-3z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14a6.5 6.5 0 0 1 3.5 6',
  contrast: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18M12 8h7M12 12h9M12 16h7',
  bars: 'M4 6h16M4 12h16M4 18h16',
  send: 'M4 4l17 8-17 8 3-8zM7 12h8',
  cross: 'M6 6l12 12M18 6L6 18',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  pin: 'M9 3h6l-1 6 4 4H6l4-4zM12 13v8',
  file: 'M6 2h8l5 5v15H6zM14 2v5h5M9 12h7M9 16h7',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  alert: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v6M12 16.5v.01',
  thread: 'M6 3v8a3 3 0 0 0 3 3h9M15 10l4 4-4 4',
  back: 'M19 12H5M11 6l-6 6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
} as const;

/** An icon beside text with the same meaning or in a labelled button. Hidden from screen readers. */
export const icon = (name: keyof typeof outlines): TemplateResult =>
  html`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${outlines[name]}></path>`}</svg>`;
