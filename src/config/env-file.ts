import { type ConfigProblem, odd, type Reading } from './value.ts';
import { variables } from './variables.ts';

/** A line of .env that is not blank and no comment: what it sets, or the rule that it breaks. */
export type EnvLine = { line: number } & ({ name: string; value: string } | { name?: string; rule: string });

const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)[ \t]*$/;
const inQuotes = /^(["'`])((?:(?!\1).)*)\1(?:[ \t]+#.*)?$/;
const bare = /^(.*?)(?:[ \t]+#.*)?$/;

/** The lines of a .env, stricter than any reader of such files: what they read differently breaks a rule. */
export function envLines(text: string): EnvLine[] {
  return text.split(/\r\n|\n|\r/).flatMap((each, at): EnvLine[] => {
    if (/^[ \t]*(?:#.*)?$/.test(each)) return [];
    const line = at + 1;
    const [, name, written = ''] = assignment.exec(each) ?? [];
    if (name === undefined)
      return [{ line, rule: 'This line does not have the form NAME=value. A comment begins with #.' }];
    const read = valueIn(written);
    return 'rule' in read ? [{ line, name, rule: read.rule }] : [{ line, name, value: read.value }];
  });
}

function valueIn(written: string): Reading {
  if (/^["'`]/.test(written)) {
    const [, quote, value] = inQuotes.exec(written) ?? [];
    if (value === undefined) return { rule: 'The quote at its start must be closed at the end of the same line.' };
    if (quote === '"' && value.includes('\\'))
      return { rule: 'A \\ in double quotes does not mean the same to every program. Use single quotes.' };
    return { value };
  }
  if (written.startsWith('#'))
    return { rule: 'The # begins a comment, so that there is no value. Put the value in single quotes.' };
  const [, value = ''] = bare.exec(written) ?? [];
  return value.includes('#')
    ? { rule: 'Many programs take what follows the # for a comment. Put the value in single quotes.' }
    : { value };
}

const known: readonly string[] = variables.map(({ name }) => name);

/** The variables of a .env, or all that is wrong with it, each with its line. No value is repeated, and no unknown name. */
export function readEnvFile(text: string): { env: Record<string, string> } | { problems: ConfigProblem[] } {
  const lines = envLines(text);
  const firsts = new Map<string, number>();
  const problems = lines.flatMap((each): ConfigProblem[] => {
    const { line, name = '' } = each;
    const rule = 'rule' in each ? each.rule : wrongWith(name, each.value, firsts.get(name));
    firsts.set(name, firsts.get(name) ?? line);
    if (rule === undefined) return [];
    return [{ what: `.env, line ${line}${known.includes(name) ? `, ${name}` : ''}`, rule, where }];
  });
  if (problems.length > 0) return { problems };
  return { env: Object.fromEntries(lines.flatMap((each) => ('value' in each ? [[each.name, each.value]] : []))) };
}

const where = 'Correct the line, or put a # before it. .env.example has every variable.';

/** Of the variables of others, only that each is set once. */
function wrongWith(name: string, value: string, first: number | undefined): string | undefined {
  if (first !== undefined) return `The same variable is set in line ${first} already. Keep one of the two.`;
  return known.includes(name) ? odd(value) : undefined;
}
