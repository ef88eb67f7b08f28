import { isBlank } from '../blank.ts';
import { count, quote } from '../card.ts';
import type { Actor } from '../outcome.ts';
import { type Reason, reasons } from '../reasons.ts';
import { type Folded, foldedIn, type Kind, type Look, type Note, type RunEntry } from '../runs/entry.ts';
import { sayerOf } from '../sayer.ts';
import { countOf, outcomesOf, runsOf } from './select.ts';
import { typedOptions } from './typed.ts';
import { unfinished } from './unfinished.ts';

/** A point in time, and who acted. `at` in ms. */
interface Moment {
  by: Actor;
  at: number;
}

/** The input of a timeline. */
export interface TimelineParts {
  title: string;
  opened: Moment;
  /** Missing while the incident is open. */
  ended?: Moment;
  /** Messages that people added. */
  notes: readonly Note[];
  /** Reads of the panel. */
  looks: readonly (Look & Moment)[];
  /** The entries of its runs. */
  entries: readonly RunEntry[];
}

interface Line {
  at: number;
  text: string;
  denied?: Kind<'denied'>;
}

/** A timeline as Markdown: who did what when, with notes and runs by time. The same input gives the same text. */
export function timeline({ title, opened, ended, notes, looks, entries }: TimelineParts): string {
  const runs = runsOf(entries);
  const lines: Line[] = [
    { at: opened.at, text: `${nameOf(opened.by)} opened the incident.` },
    ...notes.map(noted),
    ...looks.map(looked),
    ...runs.flatMap((run) => steps(run.entries)),
    ...(ended === undefined ? [] : [{ at: ended.at, text: `${nameOf(ended.by)} ended the incident.` }]),
  ];
  const counted = [...outcomesOf(runs)].map(([outcome, times]) => `${times} ${outcome}`);
  const people = [
    opened.by,
    ...entries.flatMap(peopleOf),
    ...notes.map(({ author }) => author),
    ...looks.map(({ by }) => by),
    ...(ended === undefined ? [] : [ended.by]),
  ].filter(isPerson);
  return [
    `# Incident: ${code(title)}`,
    '',
    `- Opened: ${time(opened.at)} by ${nameOf(opened.by)}`,
    `- Ended: ${ended === undefined ? 'not yet' : `${time(ended.at)} by ${nameOf(ended.by)}`}`,
    `- Took part: ${[...new Set(people.map(nameOf))].join(', ')}`,
    `- Runs: ${countOf(runs)}${counted.length === 0 ? '' : ` (${counted.join(', ')})`}`,
    `- Notes: ${notes.length === 0 ? 'none' : `${count(notes.length, 'message')} kept by people`}`,
    `- Reads: ${looks.length === 0 ? 'none' : looks.length}`,
    ...unfinished(entries).map(({ markup }) => `- ${markup}`),
    '',
    '## Timeline',
    '',
    // A stable sort: entries of the same time stay in recorded order.
    ...folded(lines.sort((a, b) => a.at - b.at)).map(({ at, text }) => `- **${time(at)}** ${text}`),
    '',
  ].join('\n');
}

/** The actor, and everyone else the entry names. */
function peopleOf(entry: RunEntry): Actor[] {
  if (entry.kind !== 'follow-up') return [entry.actor];
  if (entry.step === 'handed-over') return [entry.actor, entry.to];
  return entry.step === 'ended' && entry.by !== undefined ? [entry.actor, entry.by] : [entry.actor];
}

/** Whether the id is a Discord user's. The bot acting on its own has none. */
const isPerson = ({ id }: { id: string }): boolean => /^\d{17,20}$/.test(id);

/** Merges consecutive denials of the same command to the same person into one line. */
function folded(lines: readonly Line[]): Line[] {
  const groups: Line[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (line.denied !== undefined && isSame(group?.[0]?.denied, line.denied)) group?.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    const last = group.at(-1);
    if (first?.denied === undefined || last === undefined || group.length === 1) return group;
    const { at, denied } = first;
    const state = `**denied** ×${group.length}, until ${time(last.at)}`;
    const others = `(run ${code(denied.run)} and ${count(group.length - 1, 'more', 'more')})`;
    return {
      at,
      text: `${nameOf(denied.actor)} ${clicked(denied)}${what(denied)}: ${sentences(state, denied, others)}`,
    };
  });
}

const isSame = (a: Kind<'denied'> | undefined, b: Kind<'denied'>): boolean =>
  a?.actor.id === b.actor.id &&
  what(a) === what(b) &&
  clicked(a) === clicked(b) &&
  a.reason === b.reason &&
  a.said === b.said &&
  a.options['reason'] === b.options['reason'];

/** "2026-11-20 08:15:30 UTC" */
export const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
export const code = (text: string, most?: number): string => quote(text, most).markup;
export const nameOf = ({ name }: { name: string }): string => code(name);

const longestNote = 6000;

/** A note at the time it was written. Line breaks stay. */
function noted({ author, time: written, text }: Note): Line {
  const lines = text.split('\n').filter((line) => !isBlank(line));
  // Before such a note kept its link, it kept nothing.
  const quoted = (lines.length === 0 ? ['no words that the bot could read'] : lines).map(
    (line) => `  > ${code(line, longestNote)}`,
  );
  return { at: Date.parse(written), text: `${nameOf(author)} wrote:\n${quoted.join('\n  >\n')}` };
}

const looked = ({ by, at, part, outcome, ...look }: Look & Moment): Line => ({
  at,
  text: `${nameOf(by)} read ${what(look)}${part === undefined ? '' : `, part ${part}`}${outcome === undefined ? '' : `: **${outcome}**`}.`,
});

/** The history of one run: its outcome and what followed, or its current state. */
function steps(entries: readonly RunEntry[]): Line[] {
  const lines = entries.flatMap((entry) => {
    const text = endOf(entry, entries);
    const denied = entry.kind === 'denied' && entry.folded === undefined ? { denied: entry } : {};
    const at = Date.parse(foldedIn(entry)?.first ?? entry.time);
    return text === undefined ? [] : [{ at, text, ...denied }];
  });
  const [first] = entries;
  const last = entries.at(-1);
  if (lines.length > 0 || first === undefined || last === undefined) return lines;
  return [
    {
      at: Date.parse(first.time),
      text: `${nameOf(first.actor)} ${what(first)}: ${stateOf(last)}${glassOf(entries)}. ${foot(first)}`,
    },
  ];
}

/** The state of a run that has not ended. */
function stateOf(entry: RunEntry): string {
  switch (entry.kind) {
    case 'intent':
      return '**sent**, and not answered yet';
    case 'confirmed':
      return `**confirmed** by ${nameOf(entry.actor)}, and not sent yet`;
    case 'requested':
      return '**asked others who may**, and nobody has taken it on yet';
    case 'approved':
      return `**approved** by ${nameOf(entry.actor)}, and not sent yet`;
    default:
      return '**asked**, and not confirmed yet';
  }
}

/** What an entry adds to the history of its run; undefined: nothing that a reader wants. */
function endOf(entry: RunEntry, run: readonly RunEntry[]): string | undefined {
  switch (entry.kind) {
    case 'outcome':
    case 'denied': {
      const many = foldedIn(entry);
      if (many === undefined)
        return `${subject(entry, run)} ${clicked(entry)}${what(entry)}: ${sentences(`**${entry.outcome}**${glassOf(run)}`, named(entry, run))}`;
      const state = `**denied** ×${many.count}, until ${time(Date.parse(many.last))}`;
      return `${nameOf(entry.actor)} ${whatOf(many)}: ${sentences(state, entry)}`;
    }
    case 'resolved': {
      const happened = entry.happened ? 'it happened' : 'it did not happen';
      const state = entry.running === true ? 'it is running' : happened;
      return `${nameOf(entry.actor)} says of ${what(entry)}: **${state}**: ${code(entry.why)}. ${foot(entry)}`;
    }
    case 'reviewed':
      return `${nameOf(entry.actor)} reviewed the break-glass of ${what(entry)}: ${code(entry.why)}. ${foot(entry)}`;
    case 'follow-up': {
      if (entry.step !== 'ended') return undefined;
      const by = entry.by === undefined ? '' : `, says ${nameOf(entry.by)}`;
      return `${what(entry)}: ${sentences(`**${entry.end}**${by}`, entry)}`;
    }
    default:
      return undefined;
  }
}

/** Who ran it, and for whom. A request that nobody took on is still that of the person who asked. */
function subject({ actor }: RunEntry, run: readonly RunEntry[]): string {
  const requester = run.find(({ kind }) => kind === 'requested')?.actor;
  if (requester === undefined || requester.id === actor.id) return nameOf(actor);
  const isTaken = run.some(({ kind }) => kind === 'asked' || kind === 'intent');
  return isTaken ? `${nameOf(actor)}, for ${nameOf(requester)},` : `${nameOf(requester)} asked others for`;
}

/** The next sentence after how it stands. */
function glassOf(run: readonly RunEntry[]): string {
  const why = run.find((entry) => entry.kind === 'asked')?.glass;
  return why === undefined ? '' : `. Break-glass: ${code(why)}`;
}

/** With the names of people in its detail, where a card has mentions. What somebody typed is in backticks, and stays. */
function named<E extends RunEntry & { detail?: string }>(entry: E, run: readonly RunEntry[]): E {
  const names = new Map(run.map(({ actor }) => [actor.id, nameOf(actor)]));
  const detail = entry.detail?.replaceAll(
    /`[^`]*`|<@(\d+)>/g,
    (all, id: string | undefined) => names.get(id ?? '') ?? all,
  );
  return { ...entry, detail };
}

/** A denied click is not a command of the person who clicked. */
const clicked = (entry: Kind<'outcome' | 'denied'>): string =>
  entry.kind === 'outcome' || entry.pressed === undefined
    ? ''
    : `pressed ${code(entry.pressed.button)} on ${nameOf(entry.pressed.of)}'s `;

/** The state, the reason, the details, the panel's message. */
function sentences(
  state: string,
  entry: RunEntry & { reason?: Reason; detail?: string; said?: string },
  runs = foot(entry),
): string {
  const { reason, detail, said, options } = entry;
  return [
    `${state}.`,
    ...(reason === undefined ? [] : [reasons[reason].why]),
    ...(detail === undefined ? [] : [inUtc(detail)]),
    ...(said === undefined ? [] : [`${sayerOf(reason)}: ${code(said)}`]),
    ...(typeof options['reason'] === 'string' ? [`Reason: ${code(options['reason'])}`] : []),
    runs,
  ].join(' ');
}

const foot = ({ run }: RunEntry): string => `(run ${code(run)})`;

/** "`/backup restore` `server:101 disks:0` on web-1 (101)" */
function what({ command, options, server }: Pick<RunEntry, 'command' | 'options' | 'server'>): string {
  // The reason has its own place, and so has the server if it is known.
  const { reason: _, server: asked, ...others } = options;
  const typed = typedOptions({ ...others, ...(server === undefined && asked !== undefined ? { server: asked } : {}) });
  const on = server === undefined ? '' : ` on ${server.name ?? 'server'} (${server.id})`;
  return `${code(`/${command.replace('.', ' ')}`)}${on}${typed === '' ? '' : ` with ${code(typed)}`}`;
}

/** How many denied commands to name in a line. */
const mostNamed = 5;

/** "`/power boot` with `server:101` ×12, `/power restart` ×3 and others" */
function whatOf({ count: all, commands }: Folded): string {
  const shown = commands.slice(0, mostNamed);
  const isAll = shown.reduce((sum, each) => sum + each.count, 0) === all;
  const words = shown.map(
    ({ command, server, count: times }) =>
      `${what({ command, options: server === undefined ? {} : { server } })} ×${times}`,
  );
  return `${words.join(', ')}${isAll ? '' : ' and others'}`;
}

/** Replaces Discord's timestamps, for reading outside Discord. */
export const inUtc = (markup: string): string =>
  markup.replaceAll(/<t:(\d+)(?::\w)?>/g, (_, seconds: string) => time(Number(seconds) * 1000));
