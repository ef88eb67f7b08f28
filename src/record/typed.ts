import type { RawOptions } from '../outcome.ts';

/** "/power boot" for "power.boot" */
export const typedName = (command: string): string => `/${command.replace('.', ' ')}`;

/** The server first, the reason last, the rest by name. */
const rank = (name: string): string => `${name === 'server' ? 0 : name === 'reason' ? 2 : 1}${name}`;

/** The options as typed: `server:web-1 disks:0 reason:"disk is gone"`. `nameOf` gives a server's name by id. */
export const typedOptions = (
  options: RawOptions,
  nameOf: (id: string) => string | undefined = () => undefined,
): string =>
  Object.entries(options)
    .sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
    .map(([name, value]) => {
      const ids = name === 'server' ? String(value).split(',') : [];
      const text = name === 'server' ? ids.map((id) => nameOf(id) ?? id).join(',') : String(value);
      return `${name}:${/^[^\s"]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`}`;
    })
    .join(' ');
