import { count, joined, list, type Markup, md, moment, quote, shortName, trusted } from '../src/card.ts';
import { defineLocal, type View } from '../src/command.ts';
import { CheckStopped, DiscordUnavailable, Invalid } from '../src/outcome.ts';
import type { Entries } from '../src/runs/entries.ts';
import type { RunEntry } from '../src/runs/entry.ts';
import { askedOf, detailsOf, titleOf, withRoles } from '../src/view/details.ts';
import { deedWords } from '../src/view/events.ts';
import { fileOf } from '../src/view/file.ts';
import type { Format } from '../src/view/formats.ts';
import { type Formatter, namedIn, nameServer } from '../src/view/formatter.ts';
import { type Deed, newestDeeds, newestRuns } from '../src/view/newest.ts';
import { type Run, runsOf, select } from '../src/view/select.ts';
import { cardOf } from '../src/view/unfinished.ts';
import { isAllVisible, newestName, uncut, visible, visibleRun } from '../src/view/visible.ts';
import { isPerson, mention, serverOf, typedName } from '../src/view/words.ts';
import { walk } from '../src/walk.ts';
import { acknowledge } from './audit-acknowledge.ts';
import { format, incident, outcome, person, runId, since, until } from './audit-options.ts';
import { channelClosed, channelUnread, checkedView } from './audit-verify.ts';
import { maybeCommand } from './help.ts';
import { ago, glassOf, line } from './history-line.ts';
import { maybeServer } from './options.ts';
import { fill, shownOf, slice } from './pages.ts';

const runsPerPart = 8;
/** How many entries to read for the number of runs: in a ledger of years, nobody needs it exactly. */
const mostCounted = 5_000;

/** The list's share of Discord's 4096 characters for a card. */
const mostText = 3600;

const history = defineLocal({
  id: 'audit.history',
  danger: 'audit',
  shows: 'changes',
  walks: true,
  description: 'Who did or tried what, newest first',
  example: '/audit history server:web-1 since:2h',
  instead: { command: 'server.show', shows: 'what is open there, since when and by whom, as far as you may see it' },
  options: { server: maybeServer, person, command: maybeCommand, outcome, since },
  title: ({ server }) => trusted(`History${server === undefined ? '' : ` of ${shortName(server)}`}`),
  async act({ since: from = 0, server, ...selection }, context) {
    const runs: Run[] = [];
    let looked = 0;
    const isEnough = (): boolean => looked >= mostCounted && runs.length > (context.part + 1) * runsPerPart;
    await walk(newestRuns(context, { ...selection, server, since: from }), (run) => {
      looked += 1;
      if (run !== undefined) runs.push(run);
      return !isEnough();
    });
    // No further back than the runs.
    const oldest = isEnough() ? (runs.at(-1)?.newest.seq ?? 0) : 0;
    const deeds = newestDeeds(context, { ...selection, server, since: from }).filter(({ seq }) => seq > oldest);
    const all = [...runs, ...deeds].sort((a, b) => seqOf(b) - seqOf(a));
    const shown = slice(all, context.part, runsPerPart, context.options);
    const orMore = isEnough() ? ' or more' : '';
    const what = deeds.length > 0 ? 'lines' : Object.keys(context.options).length === 0 ? 'runs' : 'such runs';
    const since = from === 0 ? trusted('') : md`, since ${moment(from, 'f')}`;
    return {
      fact: md`${trusted(`${count(runs.length, 'run')}${orMore}`)}${since}.`,
      body: [
        ...shown.items.map((item) => ('run' in item ? line(item) : md`${deedWords(item)} · ${ago(item)}`)),
        ...shownOf(shown, `${orMore.trim()} ${what}`.trim()),
      ],
      ...shown.positions,
    };
  },
});

const seqOf = (item: Run | Deed): number => ('run' in item ? item.newest.seq : item.seq);

const run = defineLocal({
  id: 'audit.run',
  danger: 'audit',
  walks: true,
  description: 'What is recorded about one run, step by step',
  example: '/audit run id:9kq3v1x7m2a.1',
  options: { id: runId },
  title: ({ id }) => md`Run ${id}`,
  act({ id }, context) {
    const entries = visibleRun(context, id);
    const names = new Map<string, string>();
    for (const entry of entries) nameServer(names, entry);
    const [first] = entries;
    if (first === undefined) return unknownRun;
    const runs = runsOf(entries);
    const formatter = onCard(namedIn(names, (server) => newestName(context, server)));
    const blocks = entries.map((entry, at) => block(entry, at, entries, formatter));
    const shown = fill(blocks, context.part, mostText, context.options);
    // Line by line: an entry that is too long loses only its end.
    const lines = shown.items.flatMap(({ markup }) => markup.split('\n').map(trusted));
    return {
      fact: headOf(id, first, runs, entries),
      body: [...lines, ...shownOf(shown, 'entries')],
      ...shown.positions,
    };
  },
});

const unknownRun: View = {
  outcome: 'invalid',
  wrong: 'id',
  body: [
    trusted('there is no such run, or it is on a server that you may not see.'),
    md`A run's id is at the bottom of its card, such as ${'9kq3v1x7m2a'}; with the number of one of its servers, ${'9kq3v1x7m2a.1'}.`,
    trusted('/audit history lists runs.'),
  ],
};

/** Shows people, roles and times in Discord's form. */
const onCard = (server: Formatter['server']): Formatter => ({
  person: mention,
  server,
  message: ({ guild, channel, message }) =>
    trusted(`[Message](https://discord.com/channels/${guild}/${channel}/${message})`),
  time: fullTime,
  detail: trusted,
});

const fullTime = (iso: string): Markup => moment(Date.parse(iso), 'f');

/** "@alice with @lead" */
const who = (actor: RunEntry['actor']): Markup =>
  isPerson(actor) ? md`${mention(actor)}${withRoles(actor, (id) => trusted(`<@&${id}>`))}` : mention(actor);

/** The person, the command and the servers of all following entries. */
function headOf(id: string, first: RunEntry, runs: readonly Run[], entries: readonly RunEntry[]): Markup {
  const servers = runs.flatMap(({ first: { server } }) => server ?? []).map(serverOf);
  return joined(
    [
      md`${quote(id)}: ${trusted(typedName(first.command))}`,
      ...(servers.length > 1 ? [md`${trusted(`${servers.length} servers:`)} ${list(servers)}`] : servers),
      ...askedOf(first),
      ...(glassOf(entries).length === 0 ? [] : [trusted('break-glass')]),
      who(first.actor),
      ...cardOf(entries),
    ],
    ' · ',
  );
}

const isSameActor = (a: RunEntry['actor'], b: RunEntry['actor']): boolean =>
  a.id === b.id && a.roles.join() === b.roles.join();

/** One entry: time, kind, position in the chain, details, and the person if different from the requester. */
function block(entry: RunEntry, at: number, entries: readonly RunEntry[], formatter: Formatter): Markup {
  const [first = entry] = entries;
  const isAlone = entries.every(({ server }) => server?.id === first.server?.id);
  const server = isAlone || entry.server === undefined ? trusted('') : md` ${serverOf(entry.server)}`;
  // Runs on several servers have the same options.
  const earlier = entries.slice(0, at).findLast((each) => each.run === entry.run) ?? (at > 0 ? first : undefined);
  return joined(
    [
      md`**${trusted(titleOf(entry))}**${server} ${fullTime(entry.time)} · no. ${entry.seq} ${quote(entry.hash.slice(0, 12))}`,
      ...(isSameActor(entry.actor, first.actor) ? [] : [md`By ${who(entry.actor)}.`]),
      ...detailsOf(entry, formatter, earlier),
    ],
    '\n',
  );
}

/** The file size that Discord accepts everywhere, in bytes. */
const maxFileBytes = 8 * 1024 * 1024;

const exported = defineLocal({
  id: 'audit.export',
  danger: 'audit',
  walks: true,
  description: 'What is recorded, as a file',
  example: '/audit export format:csv since:3d server:web-1',
  options: { format, since, until, server: maybeServer, incident },
  check({ since: from, until: to }) {
    if (from !== undefined && to !== undefined && to <= from) throw new Invalid('until', 'must be after since');
  },
  title: ({ server }) => trusted(`Export of the ledger${server === undefined ? '' : ` · ${shortName(server)}`}`),
  async act({ format: as, server, ...selection }, context) {
    const { since: from, until: to } = selection;
    const { entries, cut } = await visible(context, { server, since: from, until: to });
    const isAll = await isAllVisible(context);
    const selected = await select(entries, {
      ...selection,
      ...(server === undefined ? {} : { server: { id: server.id } }),
    });
    // Export lines of the ledger unchanged, or their hashes no longer match.
    const whole = as === 'jsonl' && cut.size > 0 ? await uncut(selected, cut) : selected;
    const short = cut.size === 0 ? [] : shortOf(await countIn(selected, cut), as);
    const first = whole.at(0);
    const last = whole.at(-1);
    const file = await fileOf(whole, as, context.roleName, maxFileBytes);
    if (file === undefined || first === undefined || last === undefined)
      return { body: short.length > 0 ? short : [trusted('Nothing matches, so there is no file.')] };
    const body = [
      md`${whole.length} ${trusted(whole.length === 1 ? 'entry' : 'entries')}, from no. ${first.seq}, ${fullTime(first.time)}, to no. ${last.seq}, ${fullTime(last.time)}.`,
      ...(isAll ? [] : [trusted('It leaves out entries of servers that you may not see.')]),
      ...short,
    ];
    if (file === 'too-large') return tooLarge(body);
    const { name, type, bytes, sha256 } = file;
    return { body: [...body, md`SHA-256 of ${name}: ${sha256}`], files: [{ name, type, bytes }] };
  },
});

const countIn = async (entries: Entries, cut: ReadonlySet<number>): Promise<number> =>
  entries.length - (await uncut(entries, cut)).length;

/** Says how many entries are missing from a file because they name servers that this person may not see. */
function shortOf(n: number, as: Format): Markup[] {
  if (n === 0) return [];
  const named = `${n} ${n === 1 ? 'entry names' : 'entries name'} servers that are not yours beside one that is`;
  return as === 'jsonl'
    ? [trusted(`${named}: each line that names them is left out. As csv or md they are shown, without those servers.`)]
    : [trusted(`${named}: those are left out, so the hash there is of more than is shown.`)];
}

const tooLarge = (body: readonly Markup[]): View => ({
  outcome: 'invalid',
  body: [
    ...body,
    trusted('The file would be larger than 8 MiB, the largest that the bot posts. Nothing was posted.'),
    md`Choose a shorter time span, or run on the bot's machine: ${'npm run audit -- export'}.`,
  ],
});

const stops: Record<CheckStopped['why'], string> = {
  memory: 'The check was stopped: it took more memory than the bot allows.',
  time: 'The check was stopped: it took longer than the bot allows.',
  fault: "The check failed because of a fault; see the bot's log.",
};

const checkStopped = (why: CheckStopped['why']): View => ({
  outcome: 'unavailable',
  body: [
    trusted(`${stops[why]} This says nothing about the ledger or the channel.`),
    md`Type this again, or check them on the bot's machine: ${'npm run audit -- verify'}.`,
  ],
});

const verify = defineLocal({
  id: 'audit.verify',
  danger: 'audit',
  description: 'Check the whole ledger, and compare the audit channel with it',
  example: '/audit verify',
  options: {},
  title: () => trusted('Check of ledger and trail'),
  async act(_input, context) {
    try {
      return checkedView(await context.trail.verify(), context);
    } catch (error) {
      // The trail's own error, which commands may not import.
      if (error instanceof Error && error.name === 'ChannelClosed') return channelClosed;
      if (error instanceof DiscordUnavailable) return channelUnread;
      if (error instanceof CheckStopped) return checkStopped(error.why);
      throw error;
    }
  },
});

export const auditCommands = [history, run, exported, verify, acknowledge];
