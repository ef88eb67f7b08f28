import { list, type Markup, md, serverName, trusted } from '../src/card.ts';
import { defineChange, type Option } from '../src/command.ts';
import { Invalid } from '../src/outcome.ts';
import { momentAndAge, pieces, reason, server } from './options.ts';

/** Disk number (as the panel writes it, a string of digits) to a chain id or a Unix time in seconds. */
type ByDisk = Readonly<Record<string, number>>;

const diskForm = 'disk numbers with commas, such as 0,1';

const disks: Option<readonly string[]> = {
  type: 'string',
  description: 'The disks to overwrite, with commas: 0,1',
  required: true,
  max: 60,
  read(raw, { refuse }) {
    const numbers = pieces(String(raw)).map((piece) => (isDisk(piece) ? String(Number(piece)) : refuse(diskForm)));
    if (numbers.length === 0) refuse('a restore needs at least one disk');
    if (new Set(numbers).size < numbers.length) refuse('a disk is listed twice');
    return numbers;
  },
  write: (value) => value.join(','),
};

const isDisk = (text: string): boolean => /^\d{1,3}$/.test(text);

/** `disk=value` pairs with commas. */
function byDisk(
  description: string,
  form: string,
  value: (text: string, now: number) => number | undefined,
): Option<ByDisk> {
  return {
    type: 'string',
    description,
    max: 200,
    read(raw, { now, refuse }) {
      const found: Record<string, number> = {};
      for (const piece of pieces(String(raw ?? ''))) {
        const [disk = '', text = '', ...rest] = piece.split('=').map((part) => part.trim());
        const read = isDisk(disk) && rest.length === 0 ? value(text, now) : undefined;
        if (read === undefined) return refuse(form);
        const number = String(Number(disk));
        if (number in found) return refuse(`disk ${number} is named twice`);
        found[number] = read;
      }
      return found;
    },
    write: (values) => {
      const written = Object.entries(values).map(([disk, at]) => `${disk}=${at}`);
      return written.length === 0 ? undefined : written.join(',');
    },
  };
}

const chains = byDisk('The backup chain of a disk: 0=17', 'disk=chain with commas, such as 0=17,1=18', (text) =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined,
);

const until = byDisk(
  'The point in time of a disk, in UTC: 1=2026-11-19 22:00, a Unix time, or 1=-6h',
  'disk=time with commas. A time is 2026-11-19 22:00 (UTC), a Unix time in seconds, or -6h (m, h or d ago)',
  readTime,
);

const units: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

/** Unix times of nine digits begin in 1973: before that there are no backups, and fewer digits are a slip. */
const earliest = 100_000_000;

/** Unix seconds of "2026-11-19 22:00" (UTC), "1795125600" or "-6h". A day that does not exist is no time. */
function readTime(text: string, now: number): number | undefined {
  const at = secondsOf(text, now);
  return at !== undefined && at >= earliest ? at : undefined;
}

function secondsOf(text: string, now: number): number | undefined {
  if (/^\d{9,10}$/.test(text)) return Number(text);
  const [, amount, unit = ''] = /^-(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return Math.floor(now / 1000) - Number(amount) * (units[unit] ?? 0);
  const [, day, time = ''] = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)Z?$/.exec(text) ?? [];
  const at = new Date(`${day}T${time}Z`);
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(`${day}T${time}`)) return undefined;
  return at.getTime() / 1000;
}

const restore = defineChange({
  id: 'backup.restore',
  danger: 'destructive',
  description: 'Overwrite disks with what a backup holds',
  example: '/backup restore server:web-1 disks:0,1 chains:0=17 until:"1=2026-11-19 22:00" reason:"lost update"',
  options: { server, disks, chains, until, reason },
  check({ disks: listed, chains: byChain, until: byTime }, { now }) {
    for (const [option, named] of [
      ['chains', byChain],
      ['until', byTime],
    ] as const) {
      const other = Object.keys(named).find((disk) => !listed.includes(disk));
      if (other !== undefined) throw new Invalid(option, `disk ${other} is not in disks`);
    }
    const both = Object.keys(byChain).find((disk) => disk in byTime);
    if (both !== undefined) throw new Invalid('until', `disk ${both} has a chain already: a chain or a time, not both`);
    const future = Object.entries(byTime).find(([, at]) => at * 1000 > now);
    if (future !== undefined)
      throw new Invalid('until', `the time of disk ${future[0]} is in the future; times are UTC`);
  },
  endpoint: 'backupRestore',
  servers: (input) => [input.server],
  question: (input) => [
    md`${trusted(input.disks.length === 1 ? 'Disk' : 'Disks')} ${list(input.disks.map(trusted))} of ${serverName(input.server)} will be overwritten from its backups. What is on ${trusted(input.disks.length === 1 ? 'it' : 'them')} now is lost.`,
    ...input.disks.map((disk) => source(disk, input)),
    trusted('Not touched: its other disks, its network and firewall.'),
  ],
  request: (target, input) => ({
    serverId: target.id,
    disks: [...input.disks],
    ...(Object.keys(input.chains).length === 0 ? {} : { diskChains: input.chains }),
    ...(Object.keys(input.until).length === 0 ? {} : { diskUntils: input.until }),
  }),
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

function source(disk: string, { chains: byChain, until: byTime }: { chains: ByDisk; until: ByDisk }): Markup {
  const chain = byChain[disk];
  const at = byTime[disk];
  if (chain !== undefined) return trusted(`Disk ${disk}: from backup chain ${chain}.`);
  if (at !== undefined) return md`Disk ${trusted(disk)}: as it was at ${momentAndAge(at)}.`;
  return trusted(`Disk ${disk}: from the backup that the panel picks, as no chain or time is named.`);
}

export const backup = [restore];
