import type { Command } from '../command.ts';
import { Invalid, type RawOptions } from '../outcome.ts';
import { changesState } from './audience.ts';

/** `tier:production`, `until:"tomorrow 8:00"` at the beginning of a text. A space after the colon makes it text. */
const written = /^([\w-]+):(?:"([^"]*)"|(\S+))\s*/;

/** A text that begins with the name of an option that was left empty: without it, the change may reach far more. */
export function slip(command: Command, typed: RawOptions): Invalid | undefined {
  if (!changesState(command)) return undefined;
  for (const [option, text] of Object.entries(typed)) {
    const meant: Record<string, string | number | boolean> = { ...typed };
    delete meant[option];
    let rest = String(text).trim();
    for (let found = written.exec(rest); found !== null; found = written.exec(rest)) {
      const [whole, name = '', quoted, bare = ''] = found;
      if (!(name in command.options) || name in meant || name === option) break;
      meant[name] = quoted ?? bare;
      rest = rest.slice(whole.length);
    }
    const [first] = Object.keys(meant).filter((name) => !(name in typed));
    if (first === undefined) continue;
    const own = rest.startsWith(`${option}:`) ? rest.slice(option.length + 1) : rest;
    const left = own.replace(/^"(.*)"$/, '$1').trim();
    return new Invalid(option, `this begins with \`${first}:\`, an option of its own that was left empty`, {
      ...meant,
      ...(left === '' ? {} : { [option]: left }),
    });
  }
  return undefined;
}
