import { commands } from '../../commands/index.ts';
import { type Command, described, type OptionSpec } from '../../src/command.ts';
import { type Endpoint, type EndpointName, endpoints, inQuery } from '../../src/panel/endpoints.ts';

const all: readonly Command[] = commands;

/** "/power boot"; the label of what is in a menu. */
const nameOf = ({ id, menu }: Pick<Command, 'id' | 'menu'>): string => menu ?? `/${id.replace('.', ' ')}`;

const intro = `# Commands

<!-- \`npm run docs\` writes this page from commands/ and src/panel/endpoints.ts. -->

Each command is a permission of the same name: \`/power boot\` is \`power.boot\` in \`policy.yaml\`. Its danger is \`read\`, \`write\`,
\`destructive\` or \`audit\`, and the policy can allow all commands of a danger at once.

A destructive command asks first, and nothing is sent before the person who typed it presses Confirm. The policy can make others ask,
too, and can have the server's name typed. Where a command has an undo, its card has a button that runs it, if the bot knows with which
options.`;

/** docs/commands.md. */
export function commandsPage(): string {
  const groups = [...new Set(all.map(({ id }) => id.split('.')[0] ?? id))];
  const sections = groups.flatMap((group) => [
    `## ${group}`,
    ...all.filter(({ id }) => id.split('.')[0] === group).map(section),
  ]);
  return `${[intro, ...sections].join('\n\n')}\n`;
}

function section(command: Command): string {
  const { description, example, menu } = command;
  return [
    `### ${nameOf(command)}`,
    `${description}.`,
    [...factsOf(command), ...(menu === undefined ? [`- Example: \`${example}\``] : [])].join('\n'),
    ...optionsOf(command),
  ].join('\n\n');
}

function factsOf(command: Command): string[] {
  const { id, danger, sends, reads = [], everyone, undoneBy, ifStuck } = command;
  const panel = [
    ...(reads.length === 0 ? [] : [`- Reads: ${reads.map(wire).join(' and ')}`]),
    ...(sends === undefined ? [] : [`- Sends: ${wire(sends)}`]),
  ];
  return [
    `- Permission: ${everyone ? 'none, everyone may' : `\`${id}\``}`,
    `- Danger: ${danger}`,
    ...(danger === 'read' || danger === 'audit' ? [] : [`- Asks first: ${whenAsked(command)}`]),
    ...(panel.length === 0 ? ['- Sends: nothing'] : panel),
    ...(sends === undefined ? [] : [`- Undo: ${undoneBy === undefined ? 'none' : linkTo(undoneBy)}`]),
    ...(ifStuck === undefined
      ? []
      : [`- Offered when it takes longer than ${ifStuck.after / 60_000} minutes: ${linkTo(ifStuck.command)}`]),
  ];
}

function whenAsked({ danger, local, asksFirst }: Command): string {
  if (asksFirst) return 'in private, where it may reach further than was meant';
  if (local) return 'never, as nothing changes in the panel';
  return danger === 'destructive' ? 'always' : 'only where the policy says so';
}

/** "`PUT /servers/{serverId}/modify/cpuThrottle?sync`" */
function wire(name: EndpointName): string {
  const { method, path, input }: Endpoint = endpoints[name];
  const query = inQuery.filter((each) => each in input.shape);
  return `\`${method} ${path}${query.length === 0 ? '' : `?${query.join('&')}`}\``;
}

const linkTo = (id: string): string => `[\`${nameOf({ id })}\`](#${id.replace('.', '-')})`;

function optionsOf({ options, limited }: Command): string[] {
  const rows = Object.entries(options).map(([name, option]) => [
    `\`${name}\``,
    option.required ? 'yes' : '',
    takes(option),
    `${described(option, "the policy's `timezone`")}${limited?.option === name ? '; `limits` in the policy bound it' : ''}`,
  ]);
  return rows.length === 0 ? [] : [table(['option', 'required', 'takes', 'what it is'], rows)];
}

/** What an option takes: "a whole number from 1 to 256". */
function takes({ type, choices, min, max }: OptionSpec): string {
  if (choices !== undefined) return choices.map(({ value }) => `\`${value}\``).join(', ');
  if (type === 'boolean') return 'yes or no';
  if (type === 'user') return 'a member of the guild';
  if (type === 'string') return `text, at most ${max} characters`;
  return max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`;
}

/** A table with columns of even width. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}
