import type { SKRSContext2D } from '@napi-rs/canvas';
import { palette } from './palette.ts';
import { drawable, shortened } from './words.ts';

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
