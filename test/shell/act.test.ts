import { expect, it } from 'vitest';
import { trusted } from '../../src/card.ts';
import { note } from '../../src/cards/render/parts.ts';
import { answer, type Decision, type Press } from '../../src/decide/decision.ts';
import type { Verb } from '../../src/decide/verbs.ts';
import { Refused } from '../../src/ledger/ledger.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import type { NewEntry } from '../../src/runs/entry.ts';
import { act, press as pressed } from '../../src/shell/act.ts';
import type { Click, RunParts } from '../../src/shell/parts.ts';
import { alice, scene } from '../helpers/decide/scene.ts';

/** What happens about a press, in order, whatever is decided about it. */
function shell(decisions: readonly (Decision | ((press: Press) => Decision))[]) {
  const { snapshot } = scene();
  const happened: string[] = [];
  const fails = new Map<string, Error>();
  const does = <T>(what: string, result: T): Promise<T> => {
    happened.push(what);
    const error = fails.get(what);
    return error === undefined ? Promise.resolve(result) : Promise.reject(error);
  };
  const parts = {
    ...snapshot,
    ledger: {
      ...snapshot.ledger,
      isHeld: () => true,
      append: ([entry]: readonly NewEntry[]) => {
        const what = `append ${entry?.kind ?? ''}`;
        const error = fails.get(what);
        fails.delete(what);
        return error === undefined ? does(what, []) : Promise.reject(error);
      },
    },
    cards: {
      touched: () => happened.push('card touched'),
      mark: () => happened.push('card marked'),
      aside: () => happened.push('aside kept'),
    },
    limits: { denials: { record: () => does('denial recorded', undefined) } },
    observe: { ended: () => undefined },
    recent: new Map(),
  } as unknown as RunParts; // Nothing else is reached.
  const reply = {
    refuse: () => does('refuse', undefined),
    ask: () => does('form', undefined),
    defer: () => does('defer', true),
    whisper: () => does('whisper', () => Promise.resolve()),
    takeBack: () => Promise.resolve(),
  } as unknown as Click['reply']; // As above.
  const clicked: Click = {
    ...{ interaction: { id: '1500000000000000000', token: 't' }, actor: alice, button: 'cancel:inv1.x', reply },
    ...{ place: { guild: 'g', channel: 'c', message: '7' }, isPrivate: false, offered: true },
    mayReturn: () => Promise.resolve(true),
    rolesNow: (person) => does(`roles of ${person}`, []),
  };
  let decided = 0;
  const decide: Verb['decide'] = (_, press) => {
    const next = decisions[Math.min(decided, decisions.length - 1)] ?? expect.fail('nothing is decided');
    decided += 1;
    return typeof next === 'function' ? next(press) : next;
  };
  return {
    fails,
    happened,
    press: async () => {
      await act(parts, clicked, { decide });
      return happened;
    },
    /** Discord delivers a press of this button twice. */
    twice: async (button: string) => {
      await pressed(parts, { ...clicked, button });
      await pressed(parts, { ...clicked, button });
      return happened;
    },
  };
}

const no = note('not-sent', 'this button', trusted('No.'));
const denial = { command: { id: 'power.boot' } as never, decision: { server: undefined } as never }; // Nobody looks closer.
const entry = { kind: 'reviewed' } as never; // As above.
const append: Decision = { kind: 'append', entries: [entry] };
const refused = (): Refused => new Refused('stale', entry);

it.each<[string, Decision, string[]]>([
  ['a refusal is the first answer', answer(no), ['refuse']],
  ['a form is the first answer', { kind: 'form', form: { title: 't', label: 'l' } }, ['form']],
  ['a denial is answered, then recorded', answer(no, { denial }), ['refuse', 'denial recorded']],
  ['what is outdated is drawn again', answer(no, { isOutdated: true }), ['refuse', 'card marked']],
  ['an aside is kept, to be taken back', answer(no, { isAside: true }), ['refuse', 'aside kept']],
  ['it answers before it records', append, ['defer', 'card touched', 'append reviewed']],
  [
    'what is said beside the card comes last',
    { ...append, says: no },
    ['defer', 'card touched', 'append reviewed', 'whisper'],
  ],
])('%s', async (_what, decision, expected) => {
  expect(await shell([decision]).press()).toEqual(expected);
});

it('an interaction that is delivered twice is answered once', async () => {
  expect(await shell([]).twice('gone:inv1')).toEqual(['refuse']);
});

it('a denial is recorded although its answer fails', async () => {
  const { fails, happened, press } = shell([answer(no, { denial })]);
  fails.set('refuse', new Error('Discord is down'));
  await expect(press()).rejects.toThrow('Discord is down');
  expect(happened).toEqual(['refuse', 'denial recorded']);
});

it('a denial after the first answer is recorded although the words about it fail', async () => {
  const { fails, happened, press } = shell([append, answer(no, { denial })]);
  fails.set('whisper', new Error('Discord is down'));
  await expect(press()).rejects.toThrow('Discord is down');
  expect(happened).toEqual(['defer', 'whisper', 'denial recorded']);
});

it('decides again where the ledger refuses what was decided', async () => {
  const { fails, press } = shell([append, append, answer(no)]);
  fails.set('append reviewed', refused());
  expect(await press()).toEqual(['defer', 'card touched', 'whisper']);
});

it('decides again at most so often', async () => {
  const { fails, happened, press } = shell([
    () => {
      fails.set('append reviewed', refused());
      return append;
    },
  ]);
  await press();
  expect(happened).toEqual(['defer', ...Array.from({ length: 5 }, () => 'card touched'), 'whisper']);
});

it('says so where the ledger cannot be written', async () => {
  const { fails, press } = shell([append]);
  fails.set('append reviewed', new LedgerUnavailable());
  expect(await press()).toEqual(['defer', 'card touched', 'whisper']);
});

it('looks after the answer, and decides again with what it found', async () => {
  const lookup: Decision = { kind: 'lookup', lookup: { kind: 'roles', of: ['5'] } };
  const decide = ({ found }: Press): Decision => (found.roles?.has('5') ? append : lookup);
  expect(await shell([decide]).press()).toEqual(['defer', 'roles of 5', 'card touched', 'append reviewed']);
});
