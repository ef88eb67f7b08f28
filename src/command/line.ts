import type { RawOptions } from '../outcome.ts';
import type { Command } from './command.ts';
import type { OptionSpec } from './option.ts';

/** `server:web-1`, `reason:"lost update"`: an option as people type it. */
export const written = (name: string, value: RawOptions[string]): string =>
  `${name}:${/[\s"]/.test(String(value)) ? JSON.stringify(value) : value}`;

/** `/firewall flush server:web-1`: a whole line, ready to be typed. */
export const lineOf = ({ id }: Pick<Command, 'id'>, options: RawOptions): string =>
  [`/${id.replace('.', ' ')}`, ...Object.entries(options).map(([name, value]) => written(name, value))].join(' ');

/** Stands for a server that nobody typed: an example that is copied must not reach one. */
const anyServer = 'NAME';
const maxKept = 60;

/** What was typed, or else the command's own example; with an example of that option in its place. */
export function exampleWith(command: Exemplified, name: string, typed: RawOptions = {}): string {
  const own = given(command.example);
  const base = Object.keys(typed).length === 0 ? Object.fromEntries(own) : typed;
  const shownFor = (option: string): RawOptions[string] | undefined => {
    const value = typed[option];
    if (option !== name && value !== undefined && String(value).length <= maxKept) return value;
    if (option === 'server') return anyServer;
    const spec = command.options[option];
    return (
      own.get(option) ?? spec?.example ?? spec?.choices?.[0]?.value ?? (spec?.type === 'boolean' ? false : spec?.min)
    );
  };
  const needed = Object.keys(command.options).filter((option) => command.options[option]?.required);
  const shown = [...new Set([...needed, ...Object.keys(base), name])].filter(
    (option) => option === name || needed.includes(option) || String(base[option]).length <= maxKept,
  );
  const values = shown.flatMap((option): [string, RawOptions[string]][] => {
    const value = shownFor(option);
    return value === undefined ? [] : [[option, value]];
  });
  return lineOf(command, Object.fromEntries(values));
}

type Exemplified = Pick<Command, 'id' | 'example' | 'options'>;

/** The options of an example. */
const given = (example: string): Map<string, string> =>
  new Map(
    [...example.matchAll(/ ([\w-]+):(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, bare]) => [
      name,
      quoted ?? bare ?? '',
    ]),
  );

/** What an option is, as people read it. A time is of the team's zone. */
export const described = ({ description, isTime }: Pick<OptionSpec, 'description' | 'isTime'>, zone: string): string =>
  isTime === undefined ? description : `${description} (${zone})`;
