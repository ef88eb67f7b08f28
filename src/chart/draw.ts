import { createRequire } from 'node:module';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Box, type Brush, drawBar, hatch, measure, write } from './bar.ts';
import { type Chart, figures, fillOf, type Gauge, palette, percent, type Row } from './chart.ts';

/** In the pixels of a phone, about 400 wide; the picture has two per pixel. */
const width = 400;
const scale = 2;
const margin = 14;
const head = 38;
const foot = 30;
const inner = { x: margin, width: width - 2 * margin };

/** Creates canvases, and the fonts for them: a list of font families as in CSS. */
export interface Easel {
  createCanvas(
    width: number,
    height: number,
  ): { getContext(kind: '2d'): SKRSContext2D; toBuffer(mime: 'image/png'): Buffer };
  family: string;
}

/** Draws a PNG 800 pixels wide. The same chart gives the same bytes. */
export function draw({ createCanvas, family }: Easel, chart: Chart): Uint8Array {
  const height = head + chart.rows.reduce((sum, row) => sum + heightOf(row), 0) + foot;
  const picture = createCanvas(width * scale, height * scale);
  const canvas = picture.getContext('2d');
  canvas.scale(scale, scale);
  canvas.lang = 'en';
  canvas.textBaseline = 'alphabetic';
  const brush = { canvas, family };
  drawCard(canvas, height);
  drawHead(brush, chart);
  let y = head;
  for (const row of chart.rows) {
    drawEdge(canvas, y);
    drawRow(brush, row, { ...inner, y });
    y += heightOf(row);
  }
  drawFoot(brush, y);
  return picture.toBuffer('image/png');
}

function drawCard(canvas: SKRSContext2D, height: number): void {
  canvas.beginPath();
  canvas.roundRect(0.5, 0.5, width - 1, height - 1, 10);
  canvas.fillStyle = palette.card;
  canvas.fill();
  canvas.strokeStyle = palette.edge;
  canvas.lineWidth = 1;
  canvas.stroke();
}

function drawEdge(canvas: SKRSContext2D, y: number): void {
  canvas.fillStyle = palette.line;
  canvas.fillRect(inner.x, y, inner.width, 1);
}

function drawHead(brush: Brush, { title, part }: Chart): void {
  const right = part === undefined ? 0 : write(brush, part, { x: width - margin, y: 25, align: 'right' });
  write(brush, title, {
    x: margin,
    y: 25,
    size: 14,
    weight: 600,
    colour: palette.text,
    room: inner.width - right - 12,
  });
}

/** The legend of the bars. */
function drawFoot(brush: Brush, top: number): void {
  const { canvas } = brush;
  drawEdge(canvas, top);
  const y = top + 20;
  let x = margin;
  for (const { words, swatch, draw: paint } of keys) {
    paint(canvas, { x, y: y - 8, width: swatch, height: 9 });
    x += swatch + 4;
    x += write(brush, words, { x, y, size: 11 }) + 10;
  }
}

const block = (colour: string) => (canvas: SKRSContext2D, box: Box) => {
  canvas.fillStyle = colour;
  canvas.fillRect(box.x, box.y, box.width, box.height);
};

const keys: readonly { words: string; swatch: number; draw(canvas: SKRSContext2D, box: Box): void }[] = [
  { words: 'used', swatch: 14, draw: block(palette.usual) },
  { words: 'from 90%', swatch: 14, draw: block(palette.high) },
  {
    words: 'limit',
    swatch: 2,
    draw: (canvas, box) => block(palette.limit)(canvas, { ...box, y: box.y - 3, height: box.height + 6 }),
  },
  { words: 'over-committed', swatch: 14, draw: hatch },
  { words: 'unlimited', swatch: 14, draw: (canvas, box) => drawBar(canvas, box, { state: 'unlimited' }) },
];

const nameLine = 31;
const cell = 49;
const gap = 12;
const barHeight = 9;
const markSize = 11;
const markPadding = 5;

const heightOf = ({ columns }: Row): number => nameLine + cell * Math.max(1, ...columns.map((gauges) => gauges.length));

type Line = Omit<Box, 'height'>;

/** Draws one hypervisor, `heightOf` pixels high, from `line` down. */
function drawRow(brush: Brush, row: Row, line: Line): void {
  drawName(brush, row, { ...line, y: line.y + 22 });
  const { columns } = row;
  const width = (line.width - gap * (columns.length - 1)) / columns.length;
  for (const [across, gauges] of columns.entries()) {
    for (const [down, gauge] of gauges.entries())
      drawGauge(brush, gauge, { x: line.x + across * (width + gap), y: line.y + nameLine + down * cell, width });
  }
}

/** Id, name and marks from the left, a figure from the right. */
function drawName(brush: Brush, { id, name, marks, beside, columns }: Row, { x: left, y, width }: Line): void {
  const state = fillOf(beside).state;
  const text = state === 'unlimited' ? `${figures(beside)}, unlimited` : figures(beside);
  const colour = state === 'over' ? palette.over : palette.soft;
  const right = write(brush, text, { x: left + width, y, align: 'right', colour });
  const end = left + width - right - gap;
  const over = [beside, ...columns.flat()].some((gauge) => fillOf(gauge).state === 'over');
  const shown = [
    ...(over ? [{ mark: 'over-committed', colour: palette.over }] : []),
    ...(marks.length === 0 ? [] : [{ mark: marks.join(', '), colour: palette.text }]),
  ];
  let x = left + write(brush, String(id), { x: left, y, size: 15 }) + 6;
  // The name keeps at least a third of the line.
  const wanted = shown.reduce((sum, { mark }) => sum + measure(brush, mark, markSize, 600) + 2 * markPadding + 6, 0);
  const room = Math.max((end - x) / 3, end - x - wanted);
  x += write(brush, name, { x, y, size: 15, weight: 600, colour: palette.text, room }) + 8;
  for (const each of shown) x += drawMark(brush, each.mark, each.colour, { x, y, width: end - x }) + 6;
}

/** Draws a few words in a frame. Returns its width; 0 if there is no room. */
function drawMark({ canvas, family }: Brush, words: string, colour: string, { x, y, width }: Line): number {
  if (width < 40) return 0;
  const room = width - 2 * markPadding;
  const place = { x: x + markPadding, y: y - 1, size: markSize, weight: 600, colour, room } as const;
  const framed = write({ canvas, family }, words, place) + 2 * markPadding;
  canvas.strokeStyle = colour;
  canvas.lineWidth = 1;
  canvas.beginPath();
  canvas.roundRect(x + 0.5, y - 13.5, framed - 1, 17, 5);
  canvas.stroke();
  return framed;
}

function drawGauge(brush: Brush, gauge: Gauge, { x, y, width }: Line): void {
  const fill = fillOf(gauge);
  const right = write(brush, percent(gauge), {
    x: x + width,
    y: y + 11,
    align: 'right',
    weight: 600,
    colour: fill.state === 'usual' ? palette.text : palette[fill.state],
  });
  write(brush, gauge.name, { x, y: y + 11, room: width - right - 6 });
  drawBar(brush.canvas, { x, y: y + 18, width, height: barHeight }, fill);
  write(brush, figures(gauge), { x, y: y + 41, colour: palette.text, room: width });
}

/** The alphabets that can be drawn; each has its own font file. */
const alphabets = ['latin', 'latin-ext', 'greek', 'cyrillic'] as const;
const weights = [400, 600] as const;

/**
 * The native canvas with only the bundled fonts, so that pictures look the same everywhere. Rejects if the platform
 * has no native canvas. On a processor that lacks its instructions, it kills the process.
 */
export async function loadEasel(): Promise<Easel> {
  const { createCanvas, GlobalFonts } = await import('@napi-rs/canvas');
  const { resolve } = createRequire(import.meta.url);
  for (const alphabet of alphabets) {
    for (const weight of weights) {
      const file = resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-${alphabet}-${weight}-normal.woff2`);
      if (GlobalFonts.registerFromPath(file, familyOf(alphabet)) === null) throw new Error(`not a font: ${file}`);
    }
  }
  return { createCanvas, family: alphabets.map((alphabet) => `"${familyOf(alphabet)}"`).join(', ') };
}

const familyOf = (alphabet: string): string => `panelops ${alphabet}`;
