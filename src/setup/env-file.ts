import { isDeepStrictEqual, parseEnv } from 'node:util';
import { asked, type Variables } from './draft.ts';

const head = `# Written by panelops setup. The tokens are in it: keep it to yourself.
# .env.example lists every other variable, with what it is for.

`;

/** Whether setup can replace lines of this .env: not if a multi-line value has a line that looks like a variable. */
export function isEditable(before: string | undefined): boolean {
  const any = { DISCORD_TOKEN: '-', DISCORD_GUILD_ID: '-', AUDIT_CHANNEL_ID: '-', PANEL_URL: '-', PANEL_TOKEN: '-' };
  return envText(before, { ...any, PANEL_CA_FILE: undefined }) !== undefined;
}

/**
 * The text of .env with these variables. Keeps every other line of an existing text. Undefined if the result, when
 * parsed, would not have these values and the other ones unchanged.
 */
export function envText(before: string | undefined, variables: Variables): string | undefined {
  const lines = (before ?? head).split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const had = parseEnv(before ?? '');
  for (const name of asked) if (had[name] !== variables[name]) setLine(lines, name, variables[name]);
  const text = `${lines.join('\n')}\n`;
  const others = Object.entries(had).filter(([name]) => !asked.some((each) => each === name));
  const ours = asked.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]]));
  // Spread, because the parsed object has no prototype.
  return isDeepStrictEqual({ ...parseEnv(text) }, Object.fromEntries([...others, ...ours])) ? text : undefined;
}

/** The line goes where the variable was, else where .env.example has it without a value, else to the end. */
function setLine(lines: string[], name: string, value: string | undefined): void {
  const isSet = (line: string): boolean => new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`).test(line);
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
  // Between double quotes \n would become a line break: those come last.
  const quote = ["'", '`', '"'].find((each) => !value.includes(each)) ?? '';
  return `${quote}${value}${quote}`;
}
