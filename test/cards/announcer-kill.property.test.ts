import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { ends } from '../../src/outcome.ts';
import type { NewRunEntry } from '../../src/runs/entry.ts';
import { alice, announcing, begun, channel, ended, stepsOf } from '../helpers/follow-ups/bench.ts';
import { folder } from '../helpers/ledger/samples.ts';
import { quietLog } from '../helpers/messages.ts';
import { tries } from '../helpers/tries.ts';

const minute = 60_000;

/** Somebody pulls the plug. */
class Killed extends Error {}

/** What is to be said of one server: an end, or what somebody wants to be reminded of. */
const server = fc.record({ end: fc.constantFrom(...ends), rank: fc.nat(), remind: fc.boolean() });
/** At which of the steps of Discord and of the ledger the process is killed next. */
const kills = fc.array(fc.nat({ max: 12 }), { maxLength: 8 });

/** Runs of one card, some with a reminder in half an hour. */
const entriesOf = (run: string, width: number, remind: boolean): NewRunEntry[][] => {
  const due = remind ? { remind: new Date(Date.now() + 30 * minute).toISOString() } : {};
  return begun(run, { width }).map((entries) =>
    entries.map((entry) => {
      if (entry.kind === 'intent') return { ...entry, opens: ['down'] };
      return entry.kind === 'outcome' ? { ...entry, ...due } : entry;
    }),
  );
};

it('However ends come and processes are killed, each thing is said by one message, and everything is recorded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(server, { minLength: 1, maxLength: 3 }), kills, async (servers, order) => {
      const ledger = await openFileLedger({ dir: folder(), log: quietLog });
      let ahead = 0;
      const now = (): number => Date.now() + ahead;
      const messages = channel(now);
      const width = servers.length;
      const runs = servers.map((each, at) => ({ ...each, run: `a.${at + 1}` }));
      let left = Number.POSITIVE_INFINITY;
      let isDead = false;
      const tick = (): Promise<void> => {
        left -= 1;
        isDead ||= left < 0;
        return isDead ? Promise.reject(new Killed()) : Promise.resolve();
      };
      messages.fault = async (when, what) => {
        await tick();
        const text = messages.posts.at(-1)?.text;
        if (when === 'after' && what === 'reply' && text === 'a')
          expect(runs.every(({ run }) => ledger.run(run)?.followUp?.ended)).toBe(true);
      };
      const append: Ledger['append'] = async (entries) => {
        await tick();
        const appended = await ledger.append(entries);
        await tick();
        return appended;
      };
      const plan = [...order];
      const open = (): boolean =>
        ledger.following().some(({ followUp }) => followUp?.ended !== undefined) ||
        (ahead > 0 && ledger.reminders().length > 0);
      const live = async (): Promise<void> => {
        left = plan.shift() ?? Number.POSITIVE_INFINITY;
        isDead = false;
        const announcer = announcing({ ledger: { ...ledger, append }, messages, now, pace: { every: 1 } });
        while (open() && !isDead) await new Promise(setImmediate);
        await announcer.close();
      };
      for (const { run, remind } of runs)
        for (const entries of entriesOf(run, width, remind)) await ledger.append(entries);
      for (const { run, end } of runs.toSorted((a, b) => a.rank - b.rank)) {
        await ledger.append([ended(run, end, { width })]);
        await live();
      }
      ahead = 31 * minute;
      while (open()) await live();

      const told = runs.some(({ end }) => end !== 'stopped');
      const reminded = runs.some(({ remind, end }) => remind && end !== 'failed');
      const texts = [...(told ? ['a'] : []), ...(reminded ? ['a · reminder'] : [])];
      expect(messages.posts.map(({ text }) => text).toSorted()).toEqual(texts);
      expect(new Set(messages.posts.flatMap(({ pings }) => pings))).toEqual(new Set(texts.map(() => alice.id)));
      expect(runs.flatMap(({ run }) => stepsOf(ledger, run).filter((step) => step === 'announced'))).toHaveLength(
        width,
      );
      const said = ledger
        .entries()
        .slice()
        .filter(({ kind }) => kind === 'reminded');
      expect(said).toHaveLength(runs.filter(({ remind }) => remind).length);
      await ledger.close();
    }),
    { numRuns: tries(100) },
  );
}, 60_000);
