import {
  count,
  joined,
  list,
  type Markup,
  md,
  moment,
  serverName,
  shortName,
  shortNames,
  trusted,
} from '../src/card.ts';
import { type Backups, type Choice, defineChange, type Option, type ParseContext, type Team } from '../src/command.ts';
import { Invalid, type Server } from '../src/outcome.ts';
import { clockText, momentOf, timeForm } from '../src/time.ts';
import { completed, seen } from './known-values.ts';
import { clockAndMoment, pieces, reason, serversWhereAllowed } from './options.ts';
import { suggestTimesByDisk } from './suggest-times.ts';

/** Maps a disk number (a string of digits, as in the panel) to a chain id or a Unix time in seconds. */
type ByDisk = Readonly<Record<string, number>>;

/** Stands for every disk that has neither a chain nor a time of its own. */
const others = '*';

const diskForm = 'disk numbers with commas, such as 0,1';

const disks: Option<readonly string[]> = {
  type: 'string',
  description: 'The disks to overwrite, with commas: 0,1',
  required: true,
  max: 60,
  suggest(context) {
    const known = seen(context, (options) => together(pieces(String(options['disks'] ?? ''))));
    return known.length === 0 ? asTyped(context.typed) : completed(context.typed, known);
  },
  read(raw, { refuse }) {
    const numbers = pieces(String(raw)).map((piece) => (isDisk(piece) ? String(Number(piece)) : refuse(diskForm)));
    if (numbers.length === 0) refuse('a restore needs at least one disk');
    if (new Set(numbers).size < numbers.length) refuse('a disk is listed twice');
    return numbers;
  },
  write: (value) => value.join(','),
};

/** Without a restore that was seen: what is typed. How to type it is no choice: Enter would send it. */
function asTyped(typed: string): Choice[] {
  const numbers = pieces(typed);
  return numbers.length > 0 && numbers.every(isDisk)
    ? [{ name: `${numbers.join(',')} · the bot does not know its disks`, value: numbers.join(',') }]
    : [];
}

/** What was restored together comes first, then each by itself. */
const together = (all: readonly string[]): string[] => (all.length > 1 ? [all.join(','), ...all] : [...all]);

const isDisk = (text: string): boolean => /^\d{1,3}$/.test(text);

/** The parts of `0=17`; with `forAll`, also of a value alone. Undefined if it is neither. */
function pairOf(piece: string, forAll: boolean): [disk: string, text: string] | undefined {
  const [disk = '', text, ...rest] = piece.split('=').map((part) => part.trim());
  if (text === undefined) return forAll ? [others, disk] : undefined;
  return isDisk(disk) && text !== '' && rest.length === 0 ? [String(Number(disk)), text] : undefined;
}

/** Comma-separated `disk=value` pairs; with `forAll`, also a value without a disk. */
function byDisk(
  description: string,
  form: string,
  value: (text: string, context: ParseContext, disk: string) => number | { rule: string },
  forAll?: 'for all',
): Option<ByDisk> {
  return {
    type: 'string',
    description,
    max: 200,
    read(raw, { refuse, ...context }) {
      const found: Record<string, number> = {};
      for (const piece of pieces(String(raw ?? ''))) {
        const pair = pairOf(piece, forAll !== undefined);
        if (pair === undefined) return refuse(form);
        const [disk, text] = pair;
        const read = value(text, context, disk);
        if (typeof read !== 'number') return refuse(read.rule);
        if (disk in found) return refuse(disk === others ? form : `disk ${disk} is named twice`);
        found[disk] = read;
      }
      return found;
    },
    write: (values) => {
      const written = Object.entries(values).map(([disk, at]) => (disk === others ? `${at}` : `${disk}=${at}`));
      return written.length === 0 ? undefined : written.join(',');
    },
  };
}

const chainForm = 'disk=chain with commas, such as 0=17,1=18';

const chains: Option<ByDisk> = {
  ...byDisk('The backup chain of a disk: 0=17', chainForm, (text) =>
    /^[1-9]\d{0,14}$/.test(text) ? Number(text) : { rule: chainForm },
  ),
  example: '0=17',
  suggest: (context) =>
    completed(
      context.typed,
      seen(context, (options) => pieces(String(options['chains'] ?? ''))),
    ),
};

const untilForm = 'this is not a time. Write 6h, 3d, 22:00 or "yesterday 22:00"; for each disk: 0=22:00,1=6h';

/** The panel gets Unix seconds. */
const until: Option<ByDisk> = {
  ...byDisk(
    'Back to when: yesterday 22:00, 22:00 or 6h; by disk: 0=22:00,1=6h',
    untilForm,
    (text, { now, team: { zone } }, disk) => {
      const at = momentOf(text, { now, zone, toward: 'past' });
      if (typeof at === 'number') return at / 1000;
      return disk === others && at.rule === timeForm({ zone, toward: 'past' }) ? { rule: untilForm } : at;
    },
    'for all',
  ),
  isTime: true,
  suggest: suggestTimesByDisk,
};

const restore = defineChange({
  id: 'backup.restore',
  danger: 'destructive',
  description: 'Overwrite disks with what a backup holds',
  example: '/backup restore server:web-1 disks:0,1 until:"yesterday 22:00" reason:"lost update"',
  options: { server: serversWhereAllowed, disks, chains, until, reason },
  check({ server: targets, disks: listed, chains: byChain, until: byTime }, { now }) {
    if (targets.length > 1 && Object.keys(byChain).length > 0)
      throw new Invalid('chains', 'a chain belongs to one server. For several, choose a time with until');
    for (const [option, named] of [
      ['chains', byChain],
      ['until', byTime],
    ] as const) {
      const other = Object.keys(named).find((disk) => disk !== others && !listed.includes(disk));
      if (other !== undefined) throw new Invalid(option, `disk ${other} is not in disks`);
    }
    const both = Object.keys(byChain).find((disk) => disk in byTime);
    if (both !== undefined) throw new Invalid('until', `disk ${both} has a chain already: a chain or a time, not both`);
    if (others in byTime && listed.every((disk) => disk in byChain || disk in byTime))
      throw new Invalid('until', 'every disk has a chain or a time of its own already');
    const future = Object.entries(byTime).find(([, at]) => at * 1000 > now);
    if (future !== undefined) {
      const whose = future[0] === others ? 'the time' : `the time of disk ${future[0]}`;
      throw new Invalid('until', `${whose} is in the future`);
    }
  },
  endpoint: 'backupRestore',
  look: async (target, input, _read, backups) => ({ says: backupsOf(target, input, await backups?.(target)) }),
  follows: 'restore',
  checkedBy: 'follow-ups.list',
  label: (input) => `Restore ${disksOf(input.disks)} of ${shortNames(input.server)}`,
  fullLabel: (input, team) =>
    trusted(
      `Overwrite ${disksOf(input.disks)} of ${shortNames(input.server)} from ${their(input.server)} backups${chosen(input, team)}${picked(input)}`,
    ),
  question: (input, looks, team) => {
    const found = looks.flatMap(({ says }) => says);
    const isOne = input.server.length === 1;
    const lost = trusted(`What is on ${isOne && input.disks.length === 1 ? 'it' : 'them'} now is lost.`);
    return [
      md`${trusted(capital(disksOf(input.disks)))} of ${list(input.server.map(serverName))} will be overwritten from ${trusted(their(input.server))} backups.`,
      joined([lost, ...(isOne ? found : [])], ' '),
      joined(sourcesOf(input, team), ' '),
      ...input.server.flatMap((each) =>
        each.protected ? [md`⚠ ${serverName(each)} is protected: the panel will refuse the restore.`] : [],
      ),
      // Of many servers it is the longest.
      ...(isOne ? [] : found),
    ];
  },
  details: () => [trusted('Not touched: other disks, network, firewall.')],
  request: (target, input) => {
    const times = input.disks.flatMap((disk) => {
      const at = timeOf(disk, input);
      return at === undefined ? [] : [[disk, at] as const];
    });
    return {
      serverId: target.id,
      disks: [...input.disks],
      ...(Object.keys(input.chains).length === 0 ? {} : { diskChains: input.chains }),
      ...(times.length === 0 ? {} : { diskUntils: Object.fromEntries(times) }),
    };
  },
  done: (target, _input, data) =>
    data === undefined
      ? {
          outcome: 'accepted',
          says: trusted(
            `The restore of ${shortName(target)} has started and is not finished yet. The panel gave no job number: see there how it ends.`,
          ),
          job: { follow: 'restore' },
        }
      : {
          outcome: 'accepted',
          says: trusted(`The restore of ${shortName(target)} has started (job ${data.jobId}) and is not finished yet.`),
          job: { follow: 'restore', id: data.jobId },
        },
  noUndo: () => trusted('Cannot be undone.'),
  manualCheck: (target) =>
    md`To check: look at the backups and tasks of ${serverName(target)} in the panel: a running restore is listed there.`,
});

interface Sources {
  chains: ByDisk;
  until: ByDisk;
}

interface Restoring extends Sources {
  disks: readonly string[];
}

const timeOf = (disk: string, { chains: byChain, until: byTime }: Sources): number | undefined =>
  byTime[disk] ?? (byChain[disk] === undefined ? byTime[others] : undefined);

/** "disk 0", "disks 0 and 1" */
const disksOf = (all: readonly string[]): string =>
  `${all.length === 1 ? 'disk' : 'disks'} ${list(all.map(trusted)).markup}`;

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** ", as of 19 Nov 2026, 22:00 UTC", in the zone in which it was typed; of several disks ": disk 0 from chain 17, disk 1 as of …" */
function chosen(input: Restoring, { zone }: Team): string {
  const sources = input.disks.flatMap((disk) => {
    const [chain, at] = [input.chains[disk], timeOf(disk, input)];
    const source = chain === undefined ? at && `as of ${clockText(at * 1000, zone)}` : `from chain ${chain}`;
    return source === undefined ? [] : [input.disks.length === 1 ? source : `disk ${disk} ${source}`];
  });
  if (sources.length === 0) return '';
  return `${input.disks.length === 1 ? ', ' : ': '}${sources.join(', ')}`;
}

const their = (targets: readonly unknown[]): string => (targets.length === 1 ? 'its' : 'their');

const unchosen = ({ disks: all, ...sources }: Restoring): string[] =>
  all.filter((disk) => sources.chains[disk] === undefined && timeOf(disk, sources) === undefined);

/** " for disk 1", where that is not all of them. */
const forSome = (open: readonly string[], { disks: all }: Restoring): string =>
  open.length === all.length ? '' : ` for ${disksOf(open)}`;

/** Follows what was asked for: ". The panel picks which, and does not say". */
function picked(input: Restoring): string {
  const open = unchosen(input);
  if (open.length === 0) return '';
  return `. The panel picks which${forSome(open, input)}, and does not say`;
}

/** Which backup each disk gets; and that nobody chose one. */
function sourcesOf(input: Restoring, team: Team): Markup[] {
  const open = unchosen(input);
  const said = input.disks.flatMap((disk) => {
    const [chain, at] = [input.chains[disk], timeOf(disk, input)];
    if (chain !== undefined) return [trusted(`Disk ${disk}: chain ${chain}.`)];
    return at === undefined ? [] : [md`Disk ${trusted(disk)}: ${clockAndMoment(at, team)}.`];
  });
  if (open.length === 0) return said;
  return [
    ...said,
    trusted(
      `**No time or chain was chosen**${forSome(open, input)}: the panel picks. To choose: Cancel, and add a time, such as \`until:6h\`.`,
    ),
  ];
}

/** What the panel's list says of the backups that were chosen. Nothing, where nobody knows of a list. */
function backupsOf(target: Server, input: Restoring, listed: Backups): Markup[] {
  if (listed === undefined) return [];
  const whose = shortName(target);
  if (listed === 'unread') return [trusted(`The dates of the backups of ${whose} could not be read.`)];
  const [newest, oldest] = [listed[0], listed.at(-1)];
  if (newest === undefined || oldest === undefined) return [trusted(`⚠ The panel lists no backup of ${whose}.`)];
  const times = [...new Set(input.disks.flatMap((disk) => timeOf(disk, input) ?? []))];
  const chosen = times.map((time) => {
    const before = listed.find((at) => at <= time * 1000);
    if (before === undefined) return md`⚠ Oldest backup of ${trusted(whose)}: ${moment(oldest, 'd')}.`;
    return md`The newest backup of ${trusted(whose)} before then is from ${moment(before, 'f')}.`;
  });
  if (unchosen(input).length === 0) return chosen;
  const first = listed.length === 1 ? trusted('') : md`${moment(oldest, 'd')} to `;
  return [
    ...chosen,
    md`The panel lists ${trusted(count(listed.length, 'backup'))} of ${trusted(whose)}: ${first}${moment(newest, 'd')}.`,
  ];
}

export const backup = [restore];
