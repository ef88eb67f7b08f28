import { expect, vi } from 'vitest';
import type { RunEntry } from '../../../src/runs/entry.ts';
import type { Effect, RecordedRequest, SandboxPanel } from '../../../src/sandbox/panel/index.ts';
import type { RunLine } from '../ledger/reading.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';
import type { Changing } from './row.ts';

/** "/firewall flush" */
export const typedName = (id: string): string => `/${id.replace('.', ' ')}`;

/** The first line of a read: what it shows. */
export const titled = /^panelops: (?!SUCCEEDED)[A-Z][a-z]/m;

/** What a person sees first of the newest card: a mark; in bold the outcome, the command and the server; in bold the fact. */
export function glances({ discord }: World, state: string, id: string, fact = '[^*]{10,}'): void {
  const { content, embeds } = discord.messages('alice', 'ops').at(-1) ?? expect.fail('there is no card');
  expect(content).toMatch(
    new RegExp(`^[^\\w\\s] \\*\\*${state} ${typedName(id)} · web-1 \\(101, production\\)\\*\\*$`),
  );
  expect(embeds[0]?.description).toMatch(new RegExp(`^\\*\\*${fact}\\*\\*(\n|$)`));
}

/** A request that may change something: anything but GET, and GET with sync=true. */
const changes = ({ method, path }: RecordedRequest): boolean => method !== 'GET' || /[?&]sync=true(&|$)/.test(path);

/** What came since then. */
export interface News {
  entries(): RunLine[];
  /** The same, once there are so many: some are written after the answer is there. */
  recorded(count: number): Promise<RunLine[]>;
  requests(): RecordedRequest[];
  changing(): RecordedRequest[];
  effects(): Effect[];
}

export function since(world: World): News {
  const earlier = world.ledger();
  const [entries, requests, effects] = [earlier.length, world.panel.requests.length, world.panel.effects.length];
  const begun = new Set(earlier.map(({ run }) => run));
  // What an earlier command has set is read after its card is done.
  const isEarlier = ({ kind, run }: RunLine): boolean => kind === 'read-back' && begun.has(run);
  const fresh = (): RunLine[] =>
    world
      .ledger()
      .slice(entries)
      .filter((entry) => !isEarlier(entry));
  return {
    entries: fresh,
    recorded: (count) =>
      vi.waitFor(
        () => {
          const all = fresh();
          if (all.length < count) throw new Error(`${all.length} of ${count} entries are in the ledger`);
          return all;
        },
        { interval: 5, timeout: 15_000 },
      ),
    requests: () => world.panel.requests.slice(requests),
    changing: () => world.panel.requests.slice(requests).filter(changes),
    effects: () => world.panel.effects.slice(effects),
  };
}

/** Confirms the open question about web-1, typing its name where that is wanted. */
export async function confirms(who: Person, asks: Changing['asks']): Promise<string> {
  const next = await who.clicks('Confirm');
  return asks === 'typed' ? who.fills('web-1') : next;
}

/** Types the line, confirms when asked, and gives the last card. */
export async function does(who: Person, { line, asks }: Pick<Changing, 'line' | 'asks'>): Promise<string> {
  const first = await who.types(line);
  const isAsked = first.includes('panelops: QUESTION ');
  if (isAsked !== (asks !== 'no'))
    throw new Error(`${line} ${isAsked ? 'asks' : 'does not ask'} first; its row says ${asks}`);
  return isAsked ? confirms(who, asks) : first;
}

/** The steps of one run in the ledger; one that was asked about was confirmed. */
export const steps = (asks: Changing['asks'], ...then: RunEntry['kind'][]): RunEntry['kind'][] =>
  asks === 'no' ? then : ['asked', 'confirmed', ...then];

/** The steps of one run that the panel said yes to. */
export const stepsWhenDone = ({
  asks,
  follows,
  readsBack,
}: Pick<Changing, 'asks' | 'follows' | 'readsBack'>): RunEntry['kind'][] =>
  steps(
    asks,
    ...(['intent', 'outcome'] as const),
    ...(follows === undefined ? [] : (['follow-up'] as const)),
    ...(readsBack === undefined ? [] : (['read-back'] as const)),
  );

/** Gives the way back to what the panel holds now. */
export function keeping({ state }: SandboxPanel): () => void {
  const { servers, groups } = structuredClone({ servers: state.servers, groups: state.groups });
  return () => {
    state.servers.splice(0, state.servers.length, ...structuredClone(servers));
    state.groups.splice(0, state.groups.length, ...structuredClone(groups));
    state.jobs.length = 0;
  };
}
