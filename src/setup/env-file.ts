import { isDeepStrictEqual } from 'node:util';
import { envLines } from '../config/env-file.ts';
import { asked, type Variables } from './draft.ts';

const head = `# Written by panelops setup. The tokens are in it: keep it to yourself.
# .env.example lists every other variable, with what it is for.

`;

/** What a .env sets, of several lines for a variable the last; or its first line that no start would read. */
export function valuesIn(text = ''): { values: Record<string, string> } | { line: number; rule: string } {
  const lines = envLines(text);
  const broken = lines.find((each) => 'rule' in each);
  if (broken !== undefined && 'rule' in broken) return broken;
  return { values: Object.fromEntries(lines.flatMap((each) => ('value' in each ? [[each.name, each.value]] : []))) };
}

/** .env with these variables, each once; all other lines stay. Undefined if a start would read other values. */
export function envText(before: string | undefined, variables: Variables): string | undefined {
  const had = valuesIn(before);
  if ('rule' in had) return undefined;
  const lines = (before ?? head).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  for (const name of asked)
    if (had.values[name] !== variables[name] || lines.filter(sets(name)).length > 1)
      setLine(lines, name, variables[name]);
  const text = `${lines.join('\n')}\n`;
  const others = Object.entries(had.values).filter(([name]) => !asked.some((each) => each === name));
  const ours = asked.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]]));
  return isDeepStrictEqual(valuesIn(text), { values: Object.fromEntries([...others, ...ours]) }) ? text : undefined;
}

const sets = (name: string) => {
  const form = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`);
  return (line: string): boolean => form.test(line);
};

/** The line goes where the variable was, else where .env.example has it without a value, else to the end. */
function setLine(lines: string[], name: string, value: string | undefined): void {
  const isSet = sets(name);
  const isOffered = (line: string): boolean => new RegExp(`^#\\s*${name}=\\s*$`).test(line);
  const at = lines.findIndex(isSet);
  const place = at === -1 ? lines.findIndex(isOffered) : at;
  const written = value === undefined ? [] : [`${name}=${quoted(value)}`];
  if (place === -1) lines.push(...written);
  else if (at !== -1 || value !== undefined) lines.splice(place, 1, ...written);
  // The last one would win over the first.
  for (let i = lines.length - 1; i > place && place !== -1; i--) if (isSet(lines[i] ?? '')) lines.splice(i, 1);
}

function quoted(value: string): string {
  if (/^[\w.~+/=:@%-]*$/.test(value)) return value;
  // Between double quotes a \ breaks the rules: those come last.
  const quote = ["'", '`', '"'].find((each) => !value.includes(each)) ?? '';
  return `${quote}${value}${quote}`;
}
