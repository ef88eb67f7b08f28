import type { Command, OptionSpec } from '../command.ts';
import type { RawOptions } from '../outcome.ts';

/** `server:web-1`, `reason:"lost update"`: an option as people type it. */
export const written = (name: string, value: RawOptions[string]): string =>
  `${name}:${/[\s"]/.test(String(value)) ? JSON.stringify(value) : value}`;

/** `/firewall flush server:web-1`: a whole line, ready to be typed. */
export const lineOf = ({ id }: Pick<Command, 'id'>, options: RawOptions): string =>
  [`/${id.replace('.', ' ')}`, ...Object.entries(options).map(([name, value]) => written(name, value))].join(' ');

/** The command's own example, with that option. */
export function exampleWith({ example, options }: Pick<Command, 'example' | 'options'>, name: string): string {
  const spec = options[name];
  if (spec === undefined || example.includes(` ${name}:`)) return example;
  const value = spec.example ?? spec.choices?.[0]?.value ?? (spec.type === 'boolean' ? false : (spec.min ?? ''));
  return value === '' ? example : `${example} ${written(name, value)}`;
}

/** What an option is, as people read it. A time is of the team's zone. */
export const described = ({ description, isTime }: Pick<OptionSpec, 'description' | 'isTime'>, zone: string): string =>
  isTime === undefined ? description : `${description} (${zone})`;
