import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFollowing } from '../helpers/follow-ups/story.ts';
import {
  idOf,
  labelsOf,
  messageOf,
  stateOf,
  submits,
  textOf,
  until,
  whisperAfter,
  whispers,
} from '../helpers/messages.ts';
import { worldForAll } from '../helpers/world.ts';

const after500 = { kind: 'status-after', status: 500, match: { changes: true } } as const;
const before500 = { kind: 'status-before', status: 500, match: { changes: true } } as const;

let world = worldForAll();

type Who = 'alice' | 'bob' | 'carol' | 'mallory';

/** A change that alice confirms and that ends unknown: its card. */
async function unknown(line: string, fault: typeof after500 | typeof before500): ReturnType<typeof cardOf> {
  world.panel.order(fault);
  const before = world.app.entries().length;
  const shown = await world.alice.types(line);
  if (shown.includes('[Cancel]')) await world.alice.clicks('Confirm');
  await until(
    () =>
      world.app
        .entries()
        .slice(before)
        .some((entry) => entry.kind === 'outcome' && entry.outcome === 'unknown'),
    'an unknown outcome',
  );
  return cardOf('UNKNOWN');
}

const cardOf = (state: string) =>
  world.discord.until(() =>
    world.discord.messages('alice', 'ops').findLast((each) => stateOf(each) === state && each.replyTo === undefined),
  );

/** What this person sees after pressing Check now on the card. */
function checks(who: Who, card: { id: string }): Promise<string> {
  const press = idOf(messageOf(world, card.id), 'Check now');
  return whisperAfter(world, messageOf(world, card.id), who, () => world.discord.click(who, card.id, press));
}

const lastAnswer = (who: Who, card: { id: string }) => {
  const [last] = whispers(world, messageOf(world, card.id), who).toReversed();
  if (last === undefined) throw new Error(`${who} was not answered`);
  return last;
};
const resolutions = () => world.app.entries().filter(({ kind }) => kind === 'resolved');

describe('a flush that the panel did, and answered 500', () => {
  it('says what was before and what is now, and offers the conclusion to whoever may flush', async () => {
    const card = await unknown('/firewall flush server:web-1', after500);
    expect(labelsOf(card)).toEqual(['Check now', 'Say what happened']);
    expect(await checks('alice', card)).toBe(
      [
        'Checked: /firewall flush · web-1 (101)',
        'It looks as if it happened: no rule is left.',
        'Before: 4 rules, firewall enabled.',
        'Now: 0 rules, firewall enabled.',
        'That is what is stored. Whether it was applied to the running server cannot be read.',
        'If you agree, press the button below and say how you know.',
        `run ${world.ledger().findLast(({ kind }) => kind === 'outcome')?.run}`,
      ].join('\n'),
    );
    expect(labelsOf(lastAnswer('alice', card))).toEqual(['It happened']);
  });

  it('tells a reader the same without the conclusion, and nothing to whoever may not read there', async () => {
    const card = await cardOf('UNKNOWN');
    expect(await checks('carol', card)).toContain('Whoever may run /firewall flush there says so on its card.');
    expect(labelsOf(lastAnswer('carol', card))).toEqual([]);
    const reads = world.panel.requests.length;
    const denied = await checks('mallory', card);
    expect(denied).toContain('DENIED /firewall show');
    expect(denied).toContain('Nothing was read.');
    expect(world.panel.requests).toHaveLength(reads);
    expect(resolutions()).toEqual([]);
  });

  it('says so when the panel cannot be read, and can be pressed again there', async () => {
    const card = await cardOf('UNKNOWN');
    world.panel.order({ kind: 'status-before', status: 500, match: { changes: false }, times: 0 });
    expect(await checks('alice', card)).toContain('This look did not show how it ended.');
    await world.panel.clear();
    const failed = lastAnswer('alice', card);
    expect(labelsOf(failed)).toEqual(['Check now']);
    const again = await whisperAfter(world, failed, 'alice', () =>
      world.discord.click('alice', failed.id, idOf(failed, 'Check now')),
    );
    expect(again).toContain('It looks as if it happened: no rule is left.');
  });

  it('takes no button that it did not offer, and closes from the private answer', async () => {
    const card = await cardOf('UNKNOWN');
    await checks('carol', card);
    const theirs = lastAnswer('carol', card);
    const run = idOf(card, 'Say what happened');
    expect(await whisperAfter(world, theirs, 'carol', () => world.discord.forge('carol', theirs.id, run))).toContain(
      'DENIED /firewall flush',
    );
    await checks('alice', card);
    const answer = lastAnswer('alice', card);
    await submits(world, answer, 'It happened', 'no rule is left');
    await world.discord.until(() => stateOf(messageOf(world, card.id)) === 'HAPPENED');
    expect(resolutions()).toMatchObject([{ happened: true, place: { message: card.id } }]);
    // The private answer stays what it was, without its buttons and what to do with them.
    await world.discord.until(() => labelsOf(messageOf(world, answer.id, 'alice')).length === 0);
    expect(textOf(messageOf(world, answer.id, 'alice'))).toContain('It looks as if it happened');
    expect(textOf(messageOf(world, answer.id, 'alice'))).not.toContain('press the button below');
    const late = await whisperAfter(world, answer, 'alice', () =>
      world.discord.forge('alice', answer.id, idOf(answer, 'It happened')),
    );
    expect(late).toContain('Nothing of this card is left to do');
    expect(resolutions()).toHaveLength(1);
  });
});

describe('a change without a question of its own', () => {
  it('is held against what an earlier question read there: where that was the same, a look cannot tell', async () => {
    await world.alice.types('/firewall flush server:cache-1');
    await world.alice.clicks('Cancel');
    const card = await unknown('/firewall enable server:cache-1', before500);
    const text = await checks('alice', card);
    expect(text).toContain('This does not show whether it was done: the firewall is enabled, and was before.');
    expect(text).toMatch(/"Before" is what \/firewall flush read there/);
    expect(labelsOf(lastAnswer('alice', card))).toEqual([]);
  });

  it('and where nothing was read there before, it says so', async () => {
    const card = await unknown('/firewall enable server:mail-1', before500);
    expect(await checks('alice', card)).toContain('Before: not read.');
  });
});

describe('a change of all rules that ended unknown, beside the rules that were kept', () => {
  const stored = () => world.panel.state.server(161).interfaces.primary.firewall;

  it('as many rules, and not the same: it looks as if it happened', async () => {
    stored().stored = { enabled: true, rules: [{ id: 9, action: 'drop' }] };
    const card = await unknown('/firewall replace server:161 rulesets:1', after500);
    const text = await checks('alice', card);
    expect(text).toContain('It looks as if it happened: 1 rule is set, not the same as before.');
    expect(labelsOf(lastAnswer('alice', card))).toEqual(['It happened']);
  });

  it('the very same rules: it looks as if it did not, unless the rulesets give the same', async () => {
    const card = await unknown('/firewall replace server:web-3 rulesets:1', before500);
    expect(await checks('alice', card)).toContain(
      'It looks as if it did not happen: 200 rules are set, the same as before. If these rulesets give the same rules, it may have.',
    );
    expect(labelsOf(lastAnswer('alice', card))).toEqual(['It did not']);
  });

  it('a flush after which as many are set, and not the same: nothing is concluded', async () => {
    const card = await unknown('/firewall flush server:web-2', before500);
    const { firewall } = world.panel.state.server(102).interfaces.primary;
    firewall.stored = { ...firewall.stored, rules: firewall.stored.rules.toReversed() };
    expect(await checks('alice', card)).toContain(
      'This does not show whether it was done: 2 rules are set, as many as before, but not the same.',
    );
    expect(labelsOf(lastAnswer('alice', card))).toEqual([]);
  });
});

describe('what a check tells of other changes', () => {
  it('a firewall that is as it was: it did not happen', async () => {
    const card = await unknown('/firewall disable server:web-2', before500);
    expect(await checks('alice', card)).toContain('It looks as if it did not happen: the firewall is enabled.');
    expect(labelsOf(lastAnswer('alice', card))).toEqual(['It did not']);
  });

  it('traffic: the blocks are counted before and after', async () => {
    const card = await unknown('/traffic add server:mail-1 month:1 amount:500', after500);
    const text = await checks('alice', card);
    expect(text).toContain('It looks as if it happened: there is one more such block.');
    expect(text).toMatch(/Before: \d+ blocks? of 500 GB in period 1\./);
    expect(labelsOf(lastAnswer('alice', card))).toEqual(['It happened']);
  });

  it('a throttle cannot be read: no Check now', async () => {
    const card = await unknown('/cpu throttle server:cache-1 percent:50', after500);
    expect(labelsOf(card)).toEqual(['Say what happened']);
  });
});

describe('what runs although the panel answered 500', () => {
  beforeAll(async () => {
    world = await startFollowing({ panel: { restoreMs: 300 } });
  });
  afterAll(() => world.stop());

  /** Says that it is running. */
  const running = ({ id }: { id: string }, text: string): Promise<void> =>
    submits(world, messageOf(world, id), 'Say what happened', `It is under way: ${text}`);

  it('a power action: it is followed by hand, is in /handover, and warns the next question', async () => {
    const card = await unknown('/power shutdown server:web-3', after500);
    expect(labelsOf(card)).toEqual(['Say what happened']);
    await running(card, 'the panel shows it as running');
    await world.discord.until(() => labelsOf(messageOf(world, card.id)).includes('Finished'));
    expect(textOf(messageOf(world, card.id))).toContain('said that it was under way.');
    const handover = await world.carol.types('/handover');
    expect(handover).toContain('1 power action under way');
    expect(handover).toContain('web-3 (103), /power shutdown: ');
    expect(await world.alice.types('/firewall disable server:web-3')).toContain(
      '**The shutdown of web-3 (103) is under way**: started',
    );
    await world.alice.clicks('Cancel');
    const now = messageOf(world, card.id);
    await world.discord.click('alice', card.id, idOf(now, 'Stop following'));
    await world.discord.until(() => labelsOf(messageOf(world, card.id)).join() === 'Finished,Failed,Undo');
    expect(await world.carol.types('/handover')).toContain('1 job that may still run');
    await world.discord.click('alice', card.id, idOf(messageOf(world, card.id), 'Finished'));
    await world.discord.until(() => stateOf(messageOf(world, card.id)) === 'FINISHED');
    expect(await world.carol.types('/handover')).not.toContain('may still run');
  });
});
