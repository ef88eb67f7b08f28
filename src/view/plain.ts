import { quote } from '../card.ts';
import type { RunEntry } from '../runs/entry.ts';
import { typedName, typedOptions } from './words.ts';

/** Words in a file, which resolves no ids and no timestamps as Discord does. */

/** "2026-11-20 08:15:30 UTC" */
export const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
export const code = (text: string, most?: number): string => quote(text, most).markup;
export const nameOf = ({ name }: { name: string }): string => code(name);

/** Replaces Discord's timestamps: a time that is followed by how long that is, once. */
export const inUtc = (markup: string): string =>
  markup
    .replaceAll(/(<t:(\d+):\w>) \(<t:\2:R>\)/g, '$1')
    .replaceAll(/<t:(\d+)(?::\w)?>/g, (_, seconds: string) => time(Number(seconds) * 1000));

/** "`/backup restore` on web-1 (101) with `disks:0`" */
export function whatOf({ command, options, server }: Pick<RunEntry, 'command' | 'options' | 'server'>): string {
  // The reason has its own place, and so has the server if it is known.
  const { reason: _, server: asked, ...others } = options;
  const typed = typedOptions({ ...others, ...(server === undefined && asked !== undefined ? { server: asked } : {}) });
  const on = server === undefined ? '' : ` on ${server.name ?? 'server'} (${server.id})`;
  return `${code(typedName(command))}${on}${typed === '' ? '' : ` with ${code(typed)}`}`;
}
