import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { memberOf } from '../json.ts';
import { brokenRules, type Known } from './rules.ts';
import { type Policy, policyFile, policyOf } from './schema.ts';
import type { WrittenServer } from './server.ts';
import type { Finding, Problem } from './shape.ts';
import { inventory } from './source.ts';

export type { Known } from './rules.ts';

/** Parses policy.yaml. Returns the policy, or all its errors in the order of the file. */
export function readPolicy(text: string, known: Known): { policy: Policy } | { problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = syntaxProblems(text, document, lines);
  if (broken.length > 0 && !document.errors.every(({ code }) => code === 'DUPLICATE_KEY')) return { problems: broken };

  const file = valuesOf(document);
  if (file === undefined) return { problems: [{ place: 'the file (line 1)', rule: 'Too many YAML aliases.' }] };

  const parsed = policyFile.safeParse(file.value);
  const listed = inventoryOf(file.value, known);
  const findings = [
    ...(parsed.success ? [] : schemaFindings(parsed.error.issues)),
    ...brokenRules(file.value, known, listed),
  ];
  const located = findings.map(({ path, rule }) => ({ path, rule, line: lineOf(document, lines, path) }));
  located.sort((a, b) => a.line - b.line);
  const problems = [
    ...broken,
    ...listedOnce(located.map(({ path, rule, line }) => ({ place: `${placeOf(path)} (line ${line})`, rule }))),
    ...listed.problems,
  ];
  return parsed.success && problems.length === 0
    ? { policy: policyOf(parsed.data, known.guild, listed.servers ?? []) }
    : { problems };
}

/** A list of what there is ends a rule. It is told the first time. */
function listedOnce(problems: readonly Problem[]): Problem[] {
  const told = new Set<string>();
  return problems.map(({ place, rule }) => {
    const list = / (?:Dangers|Known here|There is|Limits are for): .*$/.exec(rule)?.[0];
    if (list !== undefined && told.has(list)) return { place, rule: rule.slice(0, -list.length) };
    if (list !== undefined) told.add(list);
    return { place, rule };
  });
}

/** What the inventory lists; no `servers`: that is not known here. */
function inventoryOf(file: unknown, { inventoryOf: read }: Known): { servers?: WrittenServer[]; problems: Problem[] } {
  const value = memberOf(file, 'inventory');
  if (value === undefined) return { servers: [], problems: [] };
  const source = inventory.safeParse(value);
  if (!source.success || source.data.source !== 'file' || read === undefined) return { problems: [] };
  return { problems: [], ...read(source.data.path) };
}

// Replaces the library's messages: those quote the file, which may be the wrong one and hold secrets.
const syntaxRules: Record<string, string> = {
  DUPLICATE_KEY: 'This key is already there above. Keep one of the two.',
  MULTIPLE_DOCS: 'A second YAML document begins here. The policy is one document.',
};

function syntaxProblems(text: string, document: Document.Parsed, lines: LineCounter): Problem[] {
  const tabs = text.split('\n').flatMap((line, at) => (/^ *\t/.test(line) ? [at + 1] : []));
  const isOfTabs = document.errors.some(
    ({ code, pos }) => code === 'TAB_AS_INDENT' || tabs.includes(lines.linePos(pos[0]).line),
  );
  // What else seems to be wrong then follows from it.
  if (isOfTabs) return [tabProblem(tabs)];
  const sign = document.errors.every(({ code }) => code === 'DUPLICATE_KEY') ? undefined : unclosed(text);
  if (sign !== undefined) return [sign];
  const perLine = new Map<number, string>();
  for (const { code, pos } of [...document.errors, ...document.warnings]) {
    const { line } = lines.linePos(pos[0]);
    const rule = syntaxRules[code] ?? `Not valid YAML (${code}). Look at quotes, brackets, colons and indentation.`;
    // One mistake causes several errors on its line; the first one explains it.
    if (!perLine.has(line)) perLine.set(line, rule);
  }
  const inOrder = [...perLine].sort(([a], [b]) => a - b);
  return inOrder.map(([line, rule]) => ({ place: `line ${line}`, rule }));
}

/** One habit is one problem, however many lines have it. */
function tabProblem([first = 1, ...others]: readonly number[]): Problem {
  const rule = 'Lines are indented with spaces, never with tabs.';
  const more =
    others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'line has' : 'lines have'} one.`;
  return { place: `line ${first}`, rule: `${rule}${more}` };
}

/** The file as plain values; undefined if aliases expand too far, for which the library throws. */
function valuesOf(document: Document.Parsed): { value: unknown } | undefined {
  try {
    return { value: document.toJS() };
  } catch {
    return undefined;
  }
}

type Issues = NonNullable<ReturnType<typeof policyFile.safeParse>['error']>['issues'];

function schemaFindings(issues: Issues): Finding[] {
  return issues.flatMap((issue): Finding[] => {
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, rule: issue.message }];
    const rules = issue.message.split('\n');
    return issue.keys.map((key, at) => ({ path: [...issue.path, key], rule: rules[at] ?? issue.message }));
  });
}

function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the file';
  return path.reduce<string>((place, part) => {
    if (typeof part === 'number') return `${place}[${part}]`;
    // Keys appear in messages as written, except those with unusual characters or length.
    const key = /^[\w.-]{1,40}$/.test(String(part)) ? String(part) : '…';
    return place === '' ? key : `${place}.${key}`;
  }, '');
}

/** The line of the deepest part of the path that exists in the file: of its key if it has one. */
function lineOf(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let found: unknown = node;
  for (const part of path) {
    const inside = isAlias(node) ? node.resolve(document) : node;
    if (isMap(inside)) {
      const pair = inside.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(part));
      if (pair === undefined) break;
      found = pair.key;
      node = pair.value;
    } else if (isSeq(inside) && typeof part === 'number') {
      node = inside.items[part];
      found = node;
    } else {
      break;
    }
  }
  const offset = isNode(found) ? found.range?.[0] : undefined;
  return offset === undefined ? 1 : lines.linePos(offset).line;
}

const closes = { '{': '}', '[': ']' } as const;
type Sign = keyof typeof closes;

const isSign = (sign: string): sign is Sign => Object.hasOwn(closes, sign);

interface Open {
  sign: Sign;
  line: number;
  /** Of the line in which it stands. */
  indent: number;
}

/**
 * Where a bracket, brace or quotation mark of a broken file is missing: the parser only notices it further down. A line that
 * begins a row or a key, no deeper than the one with the bracket, is outside of it.
 */
function unclosed(text: string): Problem | undefined {
  const open: Open[] = [];
  let last = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const bare = line.replace(/(^|\s)#.*$/, '');
    if (bare.trim() === '') continue;
    const indent = bare.search(/\S/);
    const [outermost] = open;
    if (outermost !== undefined && indent <= outermost.indent && /^\s*(?:-\s|[\w"'-]+:)/.test(bare)) break;
    last = at + 1;
    if ((bare.match(/"/g)?.length ?? 0) % 2 === 1)
      return { place: `line ${last}`, rule: 'A quotation mark (") is missing in this line.' };
    const wrong = follow(open, bare, { line: last, indent });
    if (wrong !== undefined) return wrong;
  }
  return open.length === 0 ? undefined : missing(open.at(-1), last);
}

/** Opens and closes what the line does; returns what is wrong. */
function follow(open: Open[], line: string, place: Omit<Open, 'sign'>): Problem | undefined {
  for (const sign of line.replace(/"[^"]*"/g, '')) {
    const innermost = open.at(-1);
    if (isSign(sign)) open.push({ sign, ...place });
    else if (sign !== '}' && sign !== ']') continue;
    else if (innermost !== undefined && closes[innermost.sign] === sign) open.pop();
    else return missing(innermost, place.line, ` before \`${sign}\``);
  }
  return undefined;
}

function missing(innermost: Open | undefined, line: number, where = ' at its end'): Problem | undefined {
  if (innermost === undefined) return undefined;
  const { sign, line: from } = innermost;
  const of = from === line ? 'of this line' : `of line ${from}`;
  return {
    place: `line ${line}`,
    rule: `\`${closes[sign]}\` is missing in this line${where}: the \`${sign}\` ${of} is not closed.`,
  };
}
