import { list, type Markup, md, moment, serverName, shortName, trusted } from '../src/card.ts';
import { defineChange, type Option, type ParseContext, type Team } from '../src/command.ts';
import { Invalid } from '../src/outcome.ts';
import { momentOf } from '../src/time.ts';
import { completed, seen } from './known-values.ts';
import { clockAndMoment, pieces, reason, server } from './options.ts';
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
  suggest: (context) =>
    completed(
      context.typed,
      seen(context, (options) => pieces(String(options['disks'] ?? ''))),
    ),
  read(raw, { refuse }) {
    const numbers = pieces(String(raw)).map((piece) => (isDisk(piece) ? String(Number(piece)) : refuse(diskForm)));
    if (numbers.length === 0) refuse('a restore needs at least one disk');
    if (new Set(numbers).size < numbers.length) refuse('a disk is listed twice');
    return numbers;
  },
  write: (value) => value.join(','),
};

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
  value: (text: string, context: ParseContext) => number | { rule: string },
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
        const read = value(text, context);
        if (typeof read !== 'number') return refuse(disk === others ? form : read.rule);
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
  suggest: (context) =>
    completed(
      context.typed,
      seen(context, (options) => pieces(String(options['chains'] ?? ''))),
    ),
};

/** The panel gets Unix seconds. */
const until: Option<ByDisk> = {
  ...byDisk(
    'Back to when: yesterday 22:00, 22:00 or 6h; by disk: 0=22:00,1=6h',
    'a time, such as "yesterday 22:00", or disk=time with commas, such as 0=22:00,1=6h',
    (text, { now, team: { zone } }) => {
      const at = momentOf(text, { now, zone, toward: 'past' });
      return typeof at === 'number' ? at / 1000 : at;
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
  example: '/backup restore server:web-1 disks:0,1 chains:0=17 until:"1=yesterday 22:00" reason:"lost update"',
  options: { server, disks, chains, until, reason },
  check({ disks: listed, chains: byChain, until: byTime }, { now }) {
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
  servers: (input) => [input.server],
  label: (input) => `Restore ${disksOf(input.disks)} of ${shortName(input.server)}`,
  change: (input) =>
    md`Overwrite ${list(input.disks.map((disk) => from(disk, input)))} of ${trusted(shortName(input.server))} from its backups`,
  question: (input, _looks, team) => [
    md`${trusted(capital(disksOf(input.disks)))} of ${serverName(input.server)} will be overwritten from its backups.`,
    trusted(
      `What is on ${input.disks.length === 1 ? 'it' : 'them'} now is lost. Not touched: other disks, network, firewall.`,
    ),
    ...input.disks.map((disk) => source(disk, input, team)),
  ],
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
  done: (_target, _input, data) =>
    data === undefined
      ? {
          outcome: 'accepted',
          says: trusted(
            'The panel took the restore, but its job could not be read from the answer: the panel shows how it ends.',
          ),
          job: { follow: 'restore' },
        }
      : {
          outcome: 'accepted',
          says: trusted(`The panel started the restore as job ${data.jobId}. Started is not finished.`),
          job: { follow: 'restore', id: data.jobId },
        },
  noUndo: () => trusted('There is no undo for this.'),
  manualCheck: (target) =>
    md`To check: look in the panel, at the backups and tasks of ${serverName(target)}: a restore that runs is listed there.`,
});

interface Sources {
  chains: ByDisk;
  until: ByDisk;
}

const timeOf = (disk: string, { chains: byChain, until: byTime }: Sources): number | undefined =>
  byTime[disk] ?? (byChain[disk] === undefined ? byTime[others] : undefined);

/** "disk 0", "disks 0 and 1" */
const disksOf = (all: readonly string[]): string =>
  `${all.length === 1 ? 'disk' : 'disks'} ${list(all.map(trusted)).markup}`;

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** "disk 0", "disk 0 from chain 17", "disk 1 as it was on 19 November" */
function from(disk: string, sources: Sources): Markup {
  const chain = sources.chains[disk];
  const at = timeOf(disk, sources);
  if (chain !== undefined) return trusted(`disk ${disk} from chain ${chain}`);
  return at === undefined ? trusted(`disk ${disk}`) : md`disk ${trusted(disk)} as of ${moment(at * 1000, 'f')}`;
}

function source(disk: string, sources: Sources, team: Team): Markup {
  const chain = sources.chains[disk];
  const at = timeOf(disk, sources);
  if (chain !== undefined) return trusted(`Disk ${disk}: from backup chain ${chain}.`);
  if (at !== undefined) return md`Disk ${trusted(disk)}: as it was on ${clockAndMoment(at, team)}.`;
  return trusted(`Disk ${disk}: from the backup that the panel picks, as no chain or time is named.`);
}

export const backup = [restore];
