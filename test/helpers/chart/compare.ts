import { createCanvas, loadImage } from '@napi-rs/canvas';

export interface Picture {
  width: number;
  height: number;
  /** RGBA */
  pixels: Uint8ClampedArray;
}

export async function decode(png: Uint8Array): Promise<Picture> {
  const image = await loadImage(Buffer.from(png));
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width, height, pixels: context.getImageData(0, 0, width, height).data };
}

/** Machines round differently at the edges of letters: a channel may be that much off. */
const near = 12;
/** Compared in strips so many rows high, so that a wrong digit counts as much in a high picture. */
const strip = 100;

/** The share of pixels that differ where most do, from 0 to 1, and a picture of where. Both are of one size. */
export function difference(a: Picture, b: Picture): { share: number; png: Uint8Array } {
  const canvas = createCanvas(a.width, a.height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#00000028';
  context.fillRect(0, 0, a.width, a.height);
  context.fillStyle = '#ff0000';
  const strips: number[] = Array.from({ length: Math.ceil(a.height / strip) }, () => 0);
  for (let at = 0; at < a.pixels.length; at += 4) {
    if (!isFar(a, b, at)) continue;
    const [x, y] = [(at / 4) % a.width, Math.floor(at / 4 / a.width)];
    const row = Math.floor(y / strip);
    strips[row] = (strips[row] ?? 0) + 1;
    context.fillRect(x, y, 1, 1);
  }
  return { share: Math.max(...strips) / (a.width * strip), png: canvas.toBuffer('image/png') };
}

function isFar(a: Picture, b: Picture, at: number): boolean {
  for (let channel = at; channel < at + 4; channel += 1)
    if (Math.abs(channelOf(a, channel) - channelOf(b, channel)) > near) return true;
  return false;
}

const channelOf = ({ pixels }: Picture, at: number): number => pixels[at] ?? 0;
