import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Box, drawBar, hatch } from './bar.ts';
import type { Chart } from './chart.ts';
import { palette } from './palette.ts';
import { drawRow, heightOf } from './row.ts';
import { type Brush, write } from './write.ts';

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
