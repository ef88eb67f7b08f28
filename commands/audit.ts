import { joined, type Markup, md, moment, own, quote } from '../src/card.ts';
import { type Command, defineLocal, type LocalContext, type View } from '../src/command.ts';
import type { Entry, RunEntry } from '../src/ledger/entry.ts';
import { Invalid, type Server } from '../src/outcome.ts';
import { fileOf } from '../src/record/file.ts';
import { isOfRun, type Run, runsOf, select } from '../src/record/select.ts';
import { deedOf, serverOf, tell, typedName, type Voice, withRoles } from '../src/record/tell.ts';
import { format, incident, maybeCommand, outcome, person, runId, since, until } from './audit-options.ts';
import { channelClosed, checkedView } from './audit-verify.ts';
import { maybeServer, pieces } from './options.ts';
import { fill, shownOf, slice } from './pages.ts';

const runsAPart = 8;

/** Of Discord's 4096 for a card's text, what the list may have. */
const mostText = 3600;

/** What this person may see: what was done, or tried, on servers that are theirs, and what concerns none. */
async function visible({ records, may, find }: LocalContext): Promise<{ entries: Entry[]; isAll: boolean }> {
  await records.refresh();
  const known = new Map<number, boolean>();
  const isTheirs = (server: Server): boolean => {
    const answer = known.get(server.id) ?? may(server);
    known.set(server.id, answer);
    return answer;
  };
  /** Of a denial, the servers that it was for may be only in what was typed. */
  const typed = ({ options }: RunEntry): Server[] =>
    typeof options.server === 'string' ? pieces(options.server).flatMap((piece) => find(piece) ?? []) : [];
  const all = records.entries();
  const entries = all.filter(
    (entry) => !isOfRun(entry) || (entry.server === undefined ? typed(entry) : [entry.server]).every(isTheirs),
  );
  return { entries, isAll: entries.length === all.length };
}

const history = defineLocal({
  id: 'audit.history',
  danger: 'audit',
  description: 'What was done, or tried: the newest first',
  example: '/audit history server:web-1 since:2h',
  options: { server: maybeServer, person, command: maybeCommand, outcome, since },
  servers: (input) => (input.server === undefined ? [] : [input.server]),
  async act({ since: from = 0, server, ...selection }, context) {
    const { entries } = await visible(context);
    const runs = runsOf(select(entries, { ...selection, server }))
      .filter(({ newest }) => Date.parse(newest.time) >= from)
      .sort((a, b) => b.newest.seq - a.newest.seq);
    const shown = slice(runs, context.part, runsAPart, context.options);
    const what = Object.keys(context.options).length === 0 ? 'runs' : 'runs like that';
    return { body: [...shown.items.map(line), ...shownOf(shown, what)], ...shown.positions };
  },
});

/** The bot has no such id where it acts by itself. */
const isPerson = ({ id }: { id: string }): boolean => /^\d{17,20}$/.test(id);

/** Pings nobody, on a card. */
const mention = (who: { id: string; name: string }): Markup => (isPerson(who) ? own(`<@${who.id}>`) : quote(who.name));

/** "**DENIED** /firewall flush · web-1 (101) · @carol · 5 minutes ago · `9kq….1` · card" */
function line({ run, first, stands, end, resolved, entries }: Run): Markup {
  const { command, server, actor } = first;
  return joined(
    [
      md`**${own(deedOf(stands))}** ${own(typedName(command))}`,
      ...(server === undefined ? [] : [serverOf(server)]),
      md`${mention(actor)} ${ago(stands)}`,
      ...(end === undefined ? [] : [ending(end)]),
      ...(resolved === undefined ? [] : [resolution(resolved)]),
      quote(run),
      ...cardOf(entries),
    ],
    ' · ',
  );
}

const ago = ({ time: iso }: Entry): Markup => moment(Date.parse(iso));

/** What the panel showed, or what a person said. */
function ending(entry: RunEntry): Markup {
  const by = entry.by ?? entry.actor;
  return md`**${own(deedOf(entry))}** ${ago(entry)}${isPerson(by) ? md`, says ${mention(by)}` : own('')}`;
}

const resolution = (entry: RunEntry): Markup =>
  md`resolved: ${own(entry.happened === true ? 'it happened' : 'it did not happen')}, says ${mention(entry.actor)} ${ago(entry)}`;

/** A link to where the card is now. */
function cardOf(entries: readonly RunEntry[]): Markup[] {
  const followed = entries.findLast(({ step }) => step === 'started' || step === 'moved');
  const at = (followed ?? entries.findLast(({ kind, place }) => kind !== 'reminded' && place.message !== undefined))
    ?.place;
  if (at?.message === undefined) return [];
  return [own(`[card](https://discord.com/channels/${at.guild}/${at.channel}/${at.message})`)];
}

const run = defineLocal({
  id: 'audit.run',
  danger: 'audit',
  description: 'Everything that is recorded about one run',
  example: '/audit run id:9kq3v1x7m2a.1',
  options: { id: runId },
  servers: () => [],
  async act({ id }, context) {
    const entries = (await visible(context)).entries.filter(isOfRun).filter((entry) => isMeant(entry, id));
    const [first] = entries;
    if (first === undefined) return unknownRun(id);
    const runs = runsOf(entries);
    const head = joined(
      [
        md`${quote(id)}: ${own(typedName(first.command))}`,
        ...(runs.length === 1 ? [] : [own(`${runs.length} servers`)]),
        ...cardOf(entries),
      ],
      ' · ',
    );
    const blocks = entries.map((entry, at) => block(entry, entries.slice(0, at), runs.length > 1));
    const shown = fill(blocks, context.part, mostText, context.options);
    // Line by line, so that of an entry which is too long only its end is left out.
    const lines = shown.items.flatMap(({ markup }) => markup.split('\n').map(own));
    return { body: [head, ...lines, ...shownOf(shown, 'entries')], ...shown.positions };
  },
});

const isMeant = ({ run: each }: RunEntry, id: string): boolean => each === id || each.startsWith(`${id}.`);

const unknownRun = (id: string): View => ({
  outcome: 'invalid',
  body: [
    md`There is no run ${id}, or it is of a server that is not yours.`,
    md`A run's id is at the foot of its card, such as ${'9kq3v1x7m2a'}; with the number of one of its servers, ${'9kq3v1x7m2a.1'}.`,
    own('/audit history lists runs.'),
  ],
});

/** A card shows people, roles and times as Discord does. */
const onCard: Voice = {
  person: mention,
  time: (iso) => moment(Date.parse(iso), 'f'),
  detail: own,
};

/** One entry: its place in the chain, when, what, who, and what it says. */
function block(entry: RunEntry, before: readonly RunEntry[], severalServers: boolean): Markup {
  const server = severalServers && entry.server !== undefined ? md` ${serverOf(entry.server)}` : own('');
  const earlier = before.findLast((each) => each.run === entry.run);
  return joined(
    [
      md`**${own(deedOf(entry))}**${server} ${onCard.time(entry.time)} · no. ${entry.seq} ${quote(entry.hash.slice(0, 12))}`,
      md`${mention(entry.actor)}${withRoles(entry.actor, (id) => own(`<@&${id}>`))}`,
      ...tell(entry, onCard, earlier),
    ],
    '\n',
  );
}

/** What Discord takes as a file anywhere, in bytes. */
const largestFile = 8 * 1024 * 1024;

const exported = defineLocal({
  id: 'audit.export',
  danger: 'audit',
  description: 'What is recorded, as a file',
  example: '/audit export format:csv since:3d server:web-1',
  options: { format, since, until, server: maybeServer, incident },
  check({ since: from, until: to }) {
    if (from !== undefined && to !== undefined && to <= from) throw new Invalid('until', 'it is not after since');
  },
  servers: (input) => (input.server === undefined ? [] : [input.server]),
  async act({ format: as, server, ...selection }, context) {
    const { entries, isAll } = await visible(context);
    const file = fileOf(
      select(entries, { ...selection, ...(server === undefined ? {} : { server: { id: server.id } }) }),
      as,
    );
    if (file === undefined) return { body: [own('Nothing is recorded like that, so there is no file.')] };
    const { name, type, bytes, sha256, count, first, last } = file;
    const body = [
      md`${count} ${own(count === 1 ? 'entry' : 'entries')}, from no. ${first.seq}, ${onCard.time(first.time)}, to no. ${last.seq}, ${onCard.time(last.time)}.`,
      ...(isAll ? [] : [own('Entries of servers that are not yours are not in it.')]),
    ];
    if (bytes.byteLength > largestFile) return tooLarge(bytes.byteLength, body);
    return { body: [...body, md`SHA-256 of ${name}: ${sha256}`], files: [{ name, type, bytes }] };
  },
});

const tooLarge = (size: number, body: readonly Markup[]): View => ({
  outcome: 'invalid',
  body: [
    ...body,
    own(`The file would have ${(size / 1024 / 1024).toFixed(1)} MiB; the bot posts 8 MiB at most. Nothing was posted.`),
    md`Name a shorter span, or write it on the bot's machine: ${'npm run audit -- export'}.`,
  ],
});

const verify = defineLocal({
  id: 'audit.verify',
  danger: 'audit',
  description: 'Check the whole ledger, and hold the audit channel against it',
  example: '/audit verify',
  options: {},
  servers: () => [],
  async act(_input, context) {
    try {
      return checkedView(await context.trail.verify(), context);
    } catch (error) {
      // The trail's own error, which commands do not know.
      if (error instanceof Error && error.name === 'ChannelClosed') return channelClosed;
      throw error;
    }
  },
});

export const auditCommands: readonly Command[] = [history, run, exported, verify];
