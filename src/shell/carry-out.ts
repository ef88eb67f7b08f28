import { ReadFailed } from '../command.ts';
import type { Answer, Decision, Found, Lookup, Snapshot } from '../decide/decision.ts';
import { Refused } from '../ledger/ledger.ts';
import type { Click, RunParts } from './parts.ts';
import { looksOf, reader } from './read.ts';

/** How often at most it is decided again, because more is known or the ledger refused what was decided. */
const maxTries = 5;

/** What this process knows now. The clock stands still. */
export function snapshotOf(parts: RunParts): Snapshot {
  const now = parts.now();
  return { ...parts, now: () => now };
}

/** How it ended. `again`: the ledger refused each try. */
type Carried = Answer | Extract<Decision, { kind: 'append' }> | { kind: 'failed'; error: unknown } | { kind: 'again' };

/** After the first answer: looks, and appends. Decides again with what was found, and when the ledger refuses. */
export async function carryOut(
  parts: RunParts,
  person: string,
  decide: (snapshot: Snapshot, found: Found) => Decision,
  press?: Pick<Click, 'rolesNow'> & { touch(): void },
): Promise<Carried> {
  let found: Found = {};
  for (let tries = 1; tries <= maxTries; tries += 1) {
    try {
      const decision = decide(snapshotOf(parts), found);
      if (decision.kind === 'answer') return decision;
      if (decision.kind === 'lookup') found = { ...found, ...(await lookUp(parts, decision.lookup, person, press)) };
      else if (decision.kind !== 'append') break;
      else {
        press?.touch();
        if (decision.entries.length > 0) await parts.ledger.append(decision.entries);
        return decision;
      }
    } catch (error) {
      if (!(error instanceof Refused)) return { kind: 'failed', error };
    }
  }
  return { kind: 'again' };
}

async function lookUp(
  parts: RunParts,
  lookup: Lookup,
  actor: string,
  press: Pick<Click, 'rolesNow'> | undefined,
): Promise<Found> {
  const { panel, followUps } = parts;
  const caller = { kind: 'person', id: actor } as const;
  switch (lookup.kind) {
    case 'roles': {
      const asked = lookup.of.map(async (id) => [id, await press?.rolesNow(id).catch(() => undefined)] as const);
      return { roles: new Map(await Promise.all(asked)) };
    }
    case 'settings': {
      const { prepared, servers } = lookup;
      return { settings: await orFailed(looksOf(parts, prepared, servers, { kind: 'look', id: actor })) };
    }
    case 'verdict': {
      const { prepared, server, before, kept } = lookup;
      const verdict = prepared.checkNow?.(server, reader(panel, caller), before, kept);
      return verdict === undefined ? {} : { verdict: await orFailed(verdict) };
    }
    case 'job':
      return { job: (await followUps.look(lookup.run, caller)) ?? 'none' };
  }
}

const orFailed = <T>(reading: Promise<T>): Promise<T | ReadFailed> =>
  reading.catch((error: unknown) => {
    if (error instanceof ReadFailed) return error;
    throw error;
  });
