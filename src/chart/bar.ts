import type { SKRSContext2D } from '@napi-rs/canvas';
import { drawable, type Fill, palette, shortened } from './chart.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The limit is at the same place in every bar, so that bars compare; the rest shows what exceeds it. */
const limitAt = 0.8;
const stripe = 4;

/** A bar with a tick at its limit, hatched beyond it. Without a limit it has no end and no tick. */
export function drawBar(canvas: SKRSContext2D, box: Box, fill: Fill): void {
  if (fill.state === 'unlimited') drawEndless(canvas, box);
  else drawLimited(canvas, box, fill.state, fill.share);
}

function drawLimited(canvas: SKRSContext2D, box: Box, state: 'usual' | 'high' | 'over', share: number): void {
  const limit = Math.round(box.width * limitAt);
  within(canvas, rounded({ ...box, width: limit }), () => {
    canvas.fillStyle = palette.track;
    canvas.fillRect(box.x, box.y, limit, box.height);
    const used = limit * Math.min(share, 1);
    canvas.fillStyle = palette[state];
    // Any use at all stays visible.
    if (used > 0) canvas.fillRect(box.x, box.y, Math.max(used, 2), box.height);
  });
  if (share > 1) drawOver(canvas, { ...box, x: box.x + limit, width: box.width - limit }, limit * (share - 1));
  canvas.fillStyle = palette.limit;
  canvas.fillRect(box.x + limit - 1, box.y - 3, 2, box.height + 6);
}

/** The part beyond the limit. If it exceeds the room, it ends in a point. */
function drawOver(canvas: SKRSContext2D, room: Box, length: number): void {
  const { x, y, height } = room;
  const width = Math.min(Math.max(length, 4), room.width);
  // A value that just fits may exceed the room by a pixel after rounding.
  const point = length > room.width + 1 ? height : 0;
  const shape = (): void => {
    canvas.moveTo(x, y);
    canvas.lineTo(x + width - point, y);
    canvas.lineTo(x + width, y + point / 2);
    canvas.lineTo(x + width, y + height - point / 2);
    canvas.lineTo(x + width - point, y + height);
    canvas.lineTo(x, y + height);
    canvas.closePath();
  };
  within(canvas, shape, () => hatch(canvas, { ...room, width }));
}

export function hatch(canvas: SKRSContext2D, { x, y, width, height }: Box): void {
  within(
    canvas,
    () => canvas.rect(x, y, width, height),
    () => {
      canvas.fillStyle = palette.under;
      canvas.fillRect(x, y, width, height);
      canvas.strokeStyle = palette.over;
      canvas.lineWidth = stripe / 2;
      canvas.beginPath();
      for (let at = x - height; at < x + width + height; at += stripe) {
        canvas.moveTo(at, y + height + 1);
        canvas.lineTo(at + height + 1, y);
      }
      canvas.stroke();
    },
  );
}

function drawEndless(canvas: SKRSContext2D, box: Box): void {
  within(canvas, rounded(box), () => {
    const fading = canvas.createLinearGradient(box.x, 0, box.x + box.width, 0);
    fading.addColorStop(0, palette.unlimited);
    fading.addColorStop(1, palette.card);
    canvas.fillStyle = fading;
    canvas.fillRect(box.x, box.y, box.width, box.height);
  });
}

type Shape = (canvas: SKRSContext2D) => void;

const rounded =
  ({ x, y, width, height }: Box): Shape =>
  (canvas) =>
    canvas.roundRect(x, y, width, height, [height / 2, 0, 0, height / 2]);

function within(canvas: SKRSContext2D, shape: Shape, draw: () => void): void {
  canvas.save();
  canvas.beginPath();
  shape(canvas);
  canvas.clip();
  draw();
  canvas.restore();
}

/** `family` is a list of font families as in CSS. */
export interface Brush {
  canvas: SKRSContext2D;
  family: string;
}

interface Writing {
  x: number;
  y: number;
  align?: 'left' | 'right';
  size?: number;
  weight?: 400 | 600;
  colour?: string;
  /** Longer text is cut to this width. */
  room?: number;
}

export function write(
  brush: Brush,
  words: string,
  { x, y, align = 'left', size = 12, weight = 400, colour, room }: Writing,
): number {
  const { canvas } = brush;
  const text = fitted(brush, drawable(words), size, weight, room);
  canvas.textAlign = align;
  canvas.fillStyle = colour ?? palette.soft;
  canvas.fillText(text, x, y);
  return canvas.measureText(text).width;
}

export function measure({ canvas, family }: Brush, text: string, size: number, weight: number): number {
  canvas.font = `${weight} ${size}px ${family}`;
  return canvas.measureText(text).width;
}

/** As much of a text as fits. */
function fitted(brush: Brush, text: string, size: number, weight: number, room = Number.POSITIVE_INFINITY): string {
  let letters = Math.min([...text].length, 100);
  while (letters > 1 && measure(brush, shortened(text, letters), size, weight) > room) letters -= 1;
  return shortened(text, letters);
}
