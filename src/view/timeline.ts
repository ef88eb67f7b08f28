import { count, list, type Markup, md, quote, trusted } from '../card.ts';
import type { Actor } from '../outcome.ts';
import { type Reason, reasons, sayerOf } from '../reasons.ts';
import type { AlertStep } from '../runs/alert-steps.ts';
import { type Folded, foldedIn, type Kind, type Note, type RunEntry } from '../runs/entry.ts';
import type { AlertNews } from '../runs/entry-events.ts';
import type { StopEntry } from '../runs/freezes.ts';
import type { Incident } from '../runs/incident.ts';
import { isBlank } from '../text.ts';
import { wordsOf } from './details.ts';
import { endsText, type Run, runsOf } from './select.ts';
import { cardOf, unfinished } from './unfinished.ts';
import { asCode, isPerson, nameAsCode, scopeOf, serverOf, utcTime, whatOf, withUtcTimes } from './words.ts';

/** Who ended an incident, and when, in ms. */
export interface Ending {
  by: Actor;
  at: number;
}

/** "`HostDown` on web-1 (101)" */
export const newsName = ({ title, servers = [] }: AlertNews): Markup =>
  md`${quote(title, 80)}${servers.length === 0 ? trusted('') : md` on ${list(servers.map((server) => serverOf(server)))}`}`;

/** By the ids of people. */
type Names = ReadonlyMap<string, string>;

const namesOf = (people: readonly Pick<Actor, 'id' | 'name'>[]): Names =>
  new Map(people.map((each) => [each.id, nameAsCode(each)]));

interface Line {
  at: number;
  text: string;
  denied?: Kind<'denied'>;
}

/** A timeline as Markdown, with notes and runs by time. The same input gives the same text. `named`: who need not have taken part. */
export function timeline(
  { title, opened, ...kept }: Incident,
  ended: Ending,
  entries: readonly RunEntry[],
  stops: readonly StopEntry[] = [],
  alerts: readonly AlertStep[] = [],
  named: readonly Actor[] = [],
): string {
  const runs = runsOf(entries);
  const notes = kept.notes.flatMap(({ note }) => note ?? []);
  const begun = Date.parse(opened.time);
  const people = [
    opened.actor,
    ...entries.flatMap(peopleOf),
    ...notes.map(({ author }) => author),
    ...kept.looks.map(({ actor }) => actor),
    ...stops.map(({ actor }) => actor),
    ended.by,
  ].filter(isPerson);
  const names = namesOf([...named, ...people]);
  const lines: Line[] = [
    { at: begun, text: `${nameAsCode(opened.actor)} opened the incident.` },
    ...notes.map(noted),
    ...kept.looks.flatMap(looked),
    ...runs.flatMap((run) => steps(run, names)),
    ...stops.map(stopped),
    ...alerts.filter(({ time: heard }) => Date.parse(heard) <= ended.at).map(alerted),
    { at: ended.at, text: `${nameAsCode(ended.by)} ended the incident.` },
  ];
  return [
    `# Incident: ${asCode(title)}`,
    '',
    `- Opened: ${utcTime(begun)} by ${nameAsCode(opened.actor)}`,
    `- Ended: ${utcTime(ended.at)} by ${nameAsCode(ended.by)}`,
    `- Took part: ${[...new Set(namesOf(people).values())].join(', ')}`,
    `- Runs: ${endsText(runs)}`,
    `- Notes: ${notes.length === 0 ? 'none' : `${count(notes.length, 'message')} kept by people`}`,
    `- Reads: ${kept.looks.length === 0 ? 'none' : kept.looks.length}`,
    ...unfinished(entries, 'file').map(({ markup }) => `- ${markup}`),
    '',
    '## Timeline',
    '',
    // A stable sort: entries of the same time stay in recorded order.
    ...folded(lines.sort((a, b) => a.at - b.at)).map(({ at, text }) => `- **${utcTime(at)}** ${text}`),
    '',
  ].join('\n');
}

/** The actor, and everyone else the entry names. */
function peopleOf(entry: RunEntry): Actor[] {
  if (entry.kind !== 'follow-up') return [entry.actor];
  if (entry.step === 'handed-over') return [entry.actor, entry.to];
  return entry.step === 'ended' && entry.by !== undefined ? [entry.actor, entry.by] : [entry.actor];
}

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
    const state = `**denied** ×${group.length}, until ${utcTime(last.at)}`;
    return {
      at,
      text: `${nameAsCode(denied.actor)} ${clicked(denied)}${whatOf(denied)}: ${sentences(state, denied)}`,
    };
  });
}

const isSame = (a: Kind<'denied'> | undefined, b: Kind<'denied'>): boolean =>
  a?.actor.id === b.actor.id &&
  whatOf(a) === whatOf(b) &&
  clicked(a) === clicked(b) &&
  a.reason === b.reason &&
  a.said === b.said &&
  a.options['reason'] === b.options['reason'];

const longestNote = 6000;

/** A note at the time it was written. Line breaks stay. */
function noted({ author, time: written, text }: Note): Line {
  const lines = text.split('\n').filter((line) => !isBlank(line));
  // Before such a note kept its link, it kept nothing.
  const quoted = (lines.length === 0 ? ['no words that the bot could read'] : lines).map(
    (line) => `  > ${asCode(line, longestNote)}`,
  );
  return { at: Date.parse(written), text: `${nameAsCode(author)} wrote:\n${quoted.join('\n  >\n')}` };
}

function looked({ actor, time: at, look }: Kind<'incident'>): Line[] {
  if (look === undefined) return [];
  const part = look.part === undefined ? '' : `, part ${look.part}`;
  const how = look.outcome === undefined ? '' : `: **${look.outcome}**`;
  return [{ at: Date.parse(at), text: `${nameAsCode(actor)} read ${whatOf(look)}${part}${how}.` }];
}

/** "alice froze tier `production` until 2026-11-20 22:00:00 UTC: `migration`" */
function stopped(entry: StopEntry): Line {
  const did = { frozen: 'froze', thawed: 'ended the freeze of', held: 'holds', released: 'released' }[entry.kind];
  const what = 'server' in entry ? serverOf(entry.server).markup : scopeOf(entry).markup;
  const until = 'until' in entry ? ` until ${utcTime(Date.parse(entry.until))}` : '';
  const why = entry.why === undefined ? '' : `: ${asCode(entry.why)}`;
  return { at: Date.parse(entry.time), text: `${nameAsCode(entry.actor)} ${did} ${what}${until}${why}.` };
}

/** "alert `HostDown` on web-1 (101): **firing**: `no answer`." */
function alerted({ time: at, news, by }: AlertStep): Line {
  const text =
    by === undefined
      ? `alert ${newsName(news).markup}: **${news.state}**${news.summary === undefined ? '' : `: ${asCode(news.summary)}`}.`
      : `${nameAsCode(by)} acknowledged the alerts.`;
  return { at: Date.parse(at), text };
}

/** The history of one run: its outcome and what followed, or how it stands. */
function steps({ entries, first, furthest }: Run, names: Names): Line[] {
  const lines = entries.flatMap((entry) => {
    const text = endOf(entry, entries, names);
    const denied = entry.kind === 'denied' && entry.folded === undefined ? { denied: entry } : {};
    const at = Date.parse(foldedIn(entry)?.first ?? entry.time);
    return text === undefined ? [] : [{ at, text, ...denied }];
  });
  // An approval alone does not say how it stands.
  if (entries.some(({ kind }) => kind === 'outcome' || kind === 'denied')) return lines;
  const state = wordsOf(furthest).stands?.(furthest) ?? '**asked**, and not confirmed yet';
  const text = `${nameAsCode(first.actor)} ${whatOf(first)}: ${state}${glassOf(entries)}.${foot(entries)}`;
  return [{ at: Date.parse(first.time), text }, ...lines];
}

/** What an entry adds to the history of its run; undefined: nothing that a reader wants. */
function endOf(entry: RunEntry, run: readonly RunEntry[], names: Names): string | undefined {
  const many = foldedIn(entry);
  if (many !== undefined) {
    const state = `**denied** ×${many.count}, until ${utcTime(Date.parse(many.last))}`;
    return `${nameAsCode(entry.actor)} ${manyOf(many)}: ${sentences(state, entry)}`;
  }
  if (entry.kind === 'outcome' || entry.kind === 'denied')
    return `${subject(entry, run)} ${clicked(entry)}${whatOf(entry)}: ${sentences(`**${entry.outcome}**${glassOf(run)}`, withNames(entry, names))}${foot(run)}`;
  if (entry.kind === 'follow-up' && entry.step === 'ended') {
    const by = entry.by === undefined ? '' : `, says ${nameAsCode(entry.by)}`;
    return `${whatOf(entry)}${alone(run)}: ${sentences(`**${entry.end}**${by}`, entry)}`;
  }
  return wordsOf(entry).tells?.(entry, `${whatOf(entry)}${entry.kind === 'reviewed' ? '' : alone(run)}`);
}

/** Who ran it, and for whom. A request that nobody took on is still that of the person who asked. */
function subject({ actor }: RunEntry, run: readonly RunEntry[]): string {
  const requester = run.find(({ kind }) => kind === 'requested')?.actor;
  if (requester === undefined || requester.id === actor.id) return nameAsCode(actor);
  const isTaken = run.some(({ kind }) => kind === 'asked' || kind === 'intent');
  return isTaken ? `${nameAsCode(actor)}, for ${nameAsCode(requester)},` : `${nameAsCode(requester)} asked others for`;
}

const glassIn = (run: readonly RunEntry[]): string | undefined => run.find((entry) => entry.kind === 'asked')?.glass;

/** The next sentence after how it stands. */
function glassOf(run: readonly RunEntry[]): string {
  const why = glassIn(run);
  return why === undefined ? '' : `. Break-glass: ${asCode(why)}`;
}

/** The same in a word, where it is named again. */
const alone = (run: readonly RunEntry[]): string => (glassIn(run) === undefined ? '' : ', with break-glass');

/** With the names of people in its detail, where a card has mentions. What somebody typed is in backticks, and stays. */
function withNames<E extends RunEntry & { detail?: string }>(entry: E, names: Names): E {
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
    : `pressed ${asCode(entry.pressed.button)} on ${nameAsCode(entry.pressed.of)}'s `;

/** The state, the reason, the details, the panel's message. */
function sentences(state: string, entry: RunEntry & { reason?: Reason; detail?: string; said?: string }): string {
  const { reason, detail, said, options } = entry;
  return [
    `${state}.`,
    ...(reason === undefined ? [] : [reasons[reason].why]),
    ...(detail === undefined ? [] : [withUtcTimes(detail)]),
    ...(said === undefined ? [] : [`${sayerOf(reason)}: ${asCode(said)}`]),
    ...(typeof options['reason'] === 'string' ? [`Reason: ${asCode(options['reason'])}`] : []),
  ].join(' ');
}

/** Where its card is: what is not told here stands there. A denial has none. */
const foot = (run: readonly RunEntry[]): string =>
  cardOf(run)
    .map(({ markup }) => ` (${markup})`)
    .join('');

/** How many denied commands to name in a line. */
const mostNamed = 5;

/** "`/power boot` with `server:101` ×12, `/power restart` ×3 and others" */
function manyOf({ count: all, commands }: Folded): string {
  const shown = commands.slice(0, mostNamed);
  const isAll = shown.reduce((sum, each) => sum + each.count, 0) === all;
  const words = shown.map(
    ({ command, server, count: times }) =>
      `${whatOf({ command, options: server === undefined ? {} : { server } })} ×${times}`,
  );
  return `${words.join(', ')}${isAll ? '' : ' and others'}`;
}
