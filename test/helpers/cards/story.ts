import { commands } from '../../../commands/index.ts';
import { type Card, headline } from '../../../src/card.ts';
import { type DrawParts, firstCard as first } from '../../../src/cards/draw.ts';
import type { Opened } from '../../../src/cards/record.ts';
import type { JobLook } from '../../../src/cards/render/index.ts';
import { preparedOf } from '../../../src/decide/authorize.ts';
import type { Actor, RawOptions, Server } from '../../../src/outcome.ts';
import type { Records } from '../../../src/runs/book.ts';
import { type Effect, writeEffect } from '../../../src/runs/effects.ts';
import type { Kind, NewRunEntry } from '../../../src/runs/entry.ts';
import { interactionOf } from '../../../src/runs/ids.ts';
import { team } from '../team.ts';

/** Ledger entries by name, for the tests of cards: one function for each kind. */

export const start = Date.parse('2026-11-19T22:00:00Z');
export const minute = 60_000;

export const alice: Actor = { id: '1100000000000000001', name: 'alice', roles: [] };
export const bob: Actor = { id: '1100000000000000002', name: 'bob', roles: [] };
const bot: Actor = { id: '0', name: 'panelops', roles: [] };

const web1 = { id: 101, name: 'web-1', tier: 'production' };
const web2 = { id: 102, name: 'web-2', tier: 'production' };
const db1 = { id: 201, name: 'db-1', tier: 'production' };
const known: readonly Server[] = [web1, web2, db1];
const find = (text: string): Server | undefined => known.find(({ id, name }) => name === text || String(id) === text);

export const channel = '1300000000000000001';
const guild = '1000000000000000001';
/** Where most cards are. */
const card = '1400000000000000001';

/** One command as somebody typed it. `message`: its card; left out: Discord has not said yet which that is. */
export interface Typed {
  id: string;
  by: Actor;
  command: string;
  options: RawOptions;
  message?: string;
}

/** `/firewall flush server:101`, typed by alice as invocation `flush`. */
export function typed(
  id: string,
  line: string,
  { by = alice, message = card, ...more }: { by?: Actor; message?: string; reason?: string } = {},
): Typed {
  const [group = '', name = '', ...pairs] = line.replace('/', '').split(' ');
  const options = Object.fromEntries(
    pairs.map((pair) => {
      const [option = '', value = ''] = pair.split(':');
      return [
        option,
        value === 'yes'
          ? true
          : value === 'no'
            ? false
            : /^\d+$/.test(value) && option !== 'server'
              ? Number(value)
              : value,
      ];
    }),
  );
  return { id, by, command: `${group}.${name}`, options: { ...options, ...more }, message };
}

export const serversOf = ({ options }: Typed): (Server & { name: string })[] =>
  String(options['server'] ?? '')
    .split(',')
    .flatMap((id) => [web1, web2, db1].find((server) => String(server.id) === id) ?? []);

/** The common members of the entries of the run on the `n`th server. */
function base({ id, by, command, options, message, ...of }: Typed, n: number) {
  const server = serversOf({ id, by, command, options, ...of })[n - 1];
  return {
    run: `${id}.${n}`,
    actor: by,
    command,
    options,
    server,
    place: { guild, channel, message },
  };
}

type Own<E extends NewRunEntry> = E extends NewRunEntry ? Partial<Omit<E, 'run' | 'kind'>> : never;
type OfKind<K extends NewRunEntry['kind']> = Own<Extract<NewRunEntry, { kind: K }>>;
type OfStep<S extends Kind<'follow-up'>['step']> = Own<Extract<NewRunEntry, { kind: 'follow-up'; step: S }>>;
type Ending = Extract<NewRunEntry, { kind: 'outcome' }>['outcome'];

export const asks = (of: Typed, n = 1, own: OfKind<'asked'> = {}): NewRunEntry => ({
  ...base(of, n),
  kind: 'asked',
  expires: '2026-11-19T22:02:00.000Z',
  ...own,
});
/** Confirms the question of that hash. */
export const confirms = (of: Typed, question: string, n = 1): NewRunEntry => ({
  ...base(of, n),
  kind: 'confirmed',
  question,
  owner: 'process',
});
/** A request may be on its way; with the effects that the command has. */
export function sends(of: Typed, n = 1, own: OfKind<'intent'> = {}): NewRunEntry {
  const { opens = [], closes = [] } = prepare(of)?.effects([]) ?? {};
  const written = (name: string, effects: readonly Effect[]): object =>
    effects.length === 0 ? {} : { [name]: effects.map(writeEffect) };
  return { ...base(of, n), kind: 'intent', ...written('opens', opens), ...written('closes', closes), ...own };
}
export const ends = (of: Typed, outcome: Ending, n = 1, own: OfKind<'outcome'> = {}): NewRunEntry => ({
  ...base(of, n),
  kind: 'outcome',
  outcome,
  ...own,
});
export const says = (of: Typed, happened: boolean, why: string, n = 1, own: OfKind<'resolved'> = {}): NewRunEntry => ({
  ...base(of, n),
  kind: 'resolved',
  happened,
  why,
  ...own,
});
export const reminds = (of: Typed, message: string, n = 1): NewRunEntry => ({
  ...base(of, n),
  kind: 'reminded',
  actor: bot,
  place: { guild, channel, message },
});

/** A message told people how it ended. */
export const tells = (of: Typed, message: string, n = 1): NewRunEntry => ({
  ...base(of, n),
  kind: 'pinged',
  actor: bot,
  place: { guild, channel, message },
  pings: [of.by.id],
});

/** The job of a run is followed from here on: a restore, or an item of the power queue. */
export const follows = (of: Typed, job: number, n = 1, own: OfStep<'started'> = {}): NewRunEntry => ({
  ...base(of, n),
  kind: 'follow-up',
  step: 'started',
  follow: of.command === 'backup.restore' ? 'restore' : 'power',
  job,
  deadline: '2026-11-20T22:00:00.000Z',
  ...own,
});
type Last = Extract<NewRunEntry, { step: 'ended' }>['end'];
export const jobEnds = (of: Typed, end: Last, n = 1, own: OfStep<'ended'> = {}): NewRunEntry => ({
  ...base(of, n),
  kind: 'follow-up',
  step: 'ended',
  actor: bot,
  end,
  ...own,
});
export const announces = (of: Typed, n = 1): NewRunEntry => ({
  ...base(of, n),
  kind: 'follow-up',
  step: 'announced',
  actor: bot,
});
export const handsOver = (of: Typed, to: Actor, n = 1): NewRunEntry => ({
  ...base(of, n),
  kind: 'follow-up',
  step: 'handed-over',
  to,
});

/** How the command was answered, as known to the process that got its interaction. */
export const openedOf = (of: Typed, own: Partial<Opened> = {}): Opened => ({
  interaction: { id: interactionOf(of.id), token: `token-of-${of.id}`, at: start },
  audience: 'public',
  place: base(of, 1).place,
  actor: of.by,
  command: of.command,
  options: of.options,
  servers: serversOf(of),
  asks: false,
  ...own,
});

const rules = { find, team };
const prepare = (of: { command: string; options: RawOptions }): ReturnType<DrawParts['prepare']> =>
  preparedOf({ commands, rules, now: () => start }, of);

/** The dependencies of drawing, with the bot's commands; everything known is in the ledger, apart from looks at jobs. */
export const drawParts = (records: Records, looks: ReadonlyMap<string, JobLook> = new Map()): DrawParts => ({
  records,
  unrecorded: () => [],
  mayBreakGlass: () => false,
  approvers: () => [],
  thawers: () => [],
  thawersToAsk: () => [],
  find,
  lookOf: (run) => looks.get(run),
  canLook: () => true,
  command: (id) => commands.find((command) => command.id === id),
  prepare,
  recipients: (_news, requester) => [requester],
  seal: (kind) => `seal-of-${kind}`,
});

/** The first card of a command, as its answer has it. */
export const firstCard = (id: string, opened: Opened): Card => first(id, opened, prepare(opened));

/** A card as people read it, line by line: headline, text, buttons, and the run at the bottom. */
export const textOf = (of: Card): string[] => [
  headline(of),
  ...(of.fact === undefined ? [] : [of.fact.markup]),
  ...[of.body, of.next ?? [], of.small ?? []].flat().map(({ markup }) => markup),
  ...(of.buttons ?? []).map(({ label, id }) => `[${label}] ${id}`),
  `run ${of.run}`,
];

/** The same, with the words of links alone. */
export const wordsOf = (of: Card): string[] =>
  textOf(of).map((line) => line.replaceAll(/\[([^\]]+)\]\(https:[^)]+\)/g, '$1'));
