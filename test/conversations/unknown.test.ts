import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import {
  confirms,
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
import { plain } from '../helpers/person.ts';
import { openWorld, type World, worldForAll } from '../helpers/world.ts';

const after500 = { kind: 'status-after', status: 500, match: { changes: true } } as const;
const before500 = { kind: 'status-before', status: 500, match: { changes: true } } as const;

/** The newest card whose headline has this in it, as alice sees it. */
function seen({ discord }: World, start: string): string {
  const found = discord.messages('alice', 'ops').findLast(({ content }) => content.includes(start));
  return found === undefined ? '' : plain(discord.viewMessage('alice', found));
}

describe('an outcome that nobody knows', () => {
  const world = worldForAll();

  it('says how to check by hand, is said on what is asked or done there, and is closed with a reason, also after a restart', async () => {
    world.panel.order(after500);
    expect(await confirms(world.alice, '/firewall flush server:web-1')).toShow(
      'UNKNOWN /firewall flush · web-1 (101, production)',
      'It may or may not have been done.',
      'The panel, or a proxy in front of it, failed with a server error. It answered 500.',
      'Press Check now, or look at the server in the panel.',
      'Then press Say what happened. The bot will not send it again.',
      '📎 web-1-primary-rules-before.txt (506 bytes)',
      '[Check now] [Say what happened]',
    );
    const warning = '**/firewall flush of web-1 (101) ended unknown** T ago, by @alice (run R.1): look';
    expect(await world.bob.types('/firewall enable server:web-1')).toContain(`${warning} at the server, and say on`);
    expect(await world.bob.types('/firewall enable server:web-2')).not.toContain('ended unknown');
    expect(await world.alice.types('/power restart server:web-1,web-2')).toContain(`${warning} before you confirm.`);

    await world.restart();
    expect(await world.alice.clicks('Say what happened')).toBe('modal: /firewall flush · web-1');
    await world.alice.fills('It happened: no rules are `set` any more');
    expect(seen(world, 'HAPPENED /firewall flush')).toShow(
      'HAPPENED /firewall flush · web-1 (101, production)',
      'It happened, says @alice.',
      '📎 web-1-primary-rules-before.txt (506 bytes)',
    );
    expect(world.ledger().findLast(({ kind }) => kind === 'resolved')).toMatchObject({
      ...{ command: 'firewall.flush', server: { id: 101 }, actor: { name: 'alice' } },
      ...{ happened: true, why: 'no rules are `set` any more' },
    });
    // The question that warned says how that ended.
    const question = () => seen(world, 'QUESTION /power restart');
    await until(() => question().includes('is no longer open: it happened.'), 'the news on the question');
    expect(question()).not.toContain('ended unknown');
    expect(await world.alice.clicks('Cancel')).toMatch(/│ Asked by @alice · run/);
    expect(await world.alice.types('/power restart server:web-1')).not.toContain('ended unknown');
  });

  it.each([
    ['boot', 'whether it runs'],
    ['shutdown', 'whether it still runs'],
    ['restart', 'how long it has been running'],
    ['poweroff', 'whether it still runs'],
  ])('a %s that ended unknown is looked up by %s', async (action, what) => {
    world.panel.order({ kind: 'reset-after', match: { path: `/servers/103/power/${action}` } });
    const line = `/power ${action} server:web-3`;
    expect(action === 'boot' ? await world.alice.types(line) : await confirms(world.alice, line)).toShow(
      `UNKNOWN /power ${action} · web-3 (103, staging)`,
      `To check: look at the tasks of web-3 (103) in the panel, and ${what}.`,
      '[Say what happened]',
    );
  });

  it('leaves nothing open where it did not happen, and can be handed over where it did', async () => {
    for (const [label, isOpen] of [
      ['It did not happen', false],
      ['It happened', true],
    ] as const) {
      world.panel.order(after500);
      await confirms(world.alice, '/firewall disable server:web-2');
      expect(await world.alice.types('/handover')).toContain('unknown outcome');
      await world.alice.clicks('Say what happened');
      await world.alice.fills(`${label}: seen in the panel`);
      expect((await world.alice.types('/handover')).includes('1 firewall disabled')).toBe(isOpen);
    }
  });
});

it('A follow-up whose end nobody saw is closed by whoever says how it ended, and by no button of before', async () => {
  const followUps = { first: 50, most: 100, retry: 50, deadline: 300 };
  const world = await openWorld({ intervals: { reconcile: 100, followUps, cards: { looks: 50 } } });
  await confirms(world.alice, '/backup restore server:cache-1 disks:0 reason:"lost update"', 'cache-1');
  const all = () => world.discord.messages('alice', 'ops');
  const card = await world.discord.until(() =>
    all().find((each) => stateOf(each) === 'UNKNOWN' && each.replyTo === undefined),
  );
  expect(labelsOf(card)).toEqual(['Check now', 'Finished', 'Failed']);
  await until(() => world.ledger().some(({ step }) => step === 'announced'), 'the end');
  const run = world.ledger().find(({ step }) => step === 'ended')?.run ?? '';
  const forge = () => world.discord.forge('alice', card.id, `happened:${run}`);
  expect(await whisperAfter(world, card, 'alice', forge)).toContain(
    'What was started may still run. Press Finished or Failed on its card once it has ended.',
  );
  expect(world.ledger().some(({ kind }) => kind === 'resolved')).toBe(false);
  const ping = await world.discord.until(() =>
    all().find((each) => each.replyTo === card.id && labelsOf(each).includes('Finished')),
  );
  await world.discord.click('alice', ping.id, idOf(ping, 'Finished'));
  const closed = await world.discord.until(() =>
    all().find((each) => each.id === card.id && stateOf(each) === 'FINISHED'),
  );
  expect(labelsOf(closed)).toEqual([]);
  expect(textOf(closed)).toContain('It worked: the restore of cache-1 finished');
  expect(textOf(closed)).not.toContain('It may still run');
});

describe('Check now', () => {
  const world = worldForAll();
  type Who = 'alice' | 'bob' | 'carol' | 'mallory';

  /** A change that alice confirms and that ends unknown: its card. */
  async function unknown(line: string, fault: typeof after500 | typeof before500): Promise<SeenMessage> {
    world.panel.order(fault);
    const ends = () => world.ledger().filter(({ outcome }) => outcome === 'unknown').length;
    const before = ends();
    const shown = await world.alice.types(line);
    if (shown.includes('[Cancel]')) await world.alice.clicks('Confirm');
    await until(() => ends() > before, 'an unknown outcome');
    return world.discord.until(() =>
      world.discord.messages('alice', 'ops').findLast((each) => stateOf(each) === 'UNKNOWN' && !each.ephemeral),
    );
  }

  /** What this person sees after pressing Check now on the card, or on their private answer to that. */
  const checks = (who: Who, { id }: SeenMessage): Promise<string> => {
    const message = messageOf(world, id, who);
    return whisperAfter(world, message, who, () => world.discord.click(who, id, idOf(message, 'Check now')));
  };
  const lastAnswer = (who: Who, card: SeenMessage): SeenMessage =>
    whispers(world, card, who).at(-1) ?? expect.fail(`${who} was not answered`);
  const resolutions = () => world.ledger().filter(({ kind }) => kind === 'resolved');

  it('says what was before and what is now, the conclusion only to whoever may run it, and nothing to whoever may not read there', async () => {
    const card = await unknown('/firewall flush server:web-1', after500);
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
    const answer = lastAnswer('alice', card);
    expect(labelsOf(answer)).toEqual(['It happened']);
    expect(await checks('carol', card)).toContain('Whoever may run /firewall flush there says so on its card.');
    const theirs = lastAnswer('carol', card);
    expect(labelsOf(theirs)).toEqual([]);
    // It takes no button that it did not offer.
    const forge = () => world.discord.forge('carol', theirs.id, idOf(card, 'Say what happened'));
    expect(await whisperAfter(world, theirs, 'carol', forge)).toContain('DENIED /firewall flush');
    const reads = world.panel.requests.length;
    expect(await checks('mallory', card)).toMatch(/DENIED \/firewall show[\s\S]*Nothing was read\./);
    expect([world.panel.requests.length, resolutions()]).toEqual([reads, []]);

    world.panel.order({ kind: 'status-before', status: 500, match: { changes: false }, times: 0 });
    expect(await checks('alice', card)).toContain('This look did not show how it ended.');
    await world.panel.clear();
    const failed = lastAnswer('alice', card);
    expect(labelsOf(failed)).toEqual(['Check now']);
    expect(await checks('alice', failed)).toContain('It looks as if it happened: no rule is left.');

    await submits(world, answer, 'It happened', 'no rule is left');
    await world.discord.until(() => stateOf(messageOf(world, card.id)) === 'HAPPENED');
    expect(resolutions()).toMatchObject([{ happened: true, place: { message: card.id } }]);
    // The private answer stays what it was, without its buttons and what to do with them.
    await world.discord.until(() => labelsOf(messageOf(world, answer.id)).length === 0);
    expect(textOf(messageOf(world, answer.id))).toContain('It looks as if it happened');
    expect(textOf(messageOf(world, answer.id))).not.toContain('press the button below');
    const late = () => world.discord.forge('alice', answer.id, idOf(answer, 'It happened'));
    expect(await whisperAfter(world, answer, 'alice', late)).toContain('Nothing of this card is left to do');
    expect(resolutions()).toHaveLength(1);
  });

  const primary = (id: number) => world.panel.state.server(id).interfaces.primary.firewall;

  it.each<[line: string, did: 'did' | 'did not', says: string, labels: string[], meanwhile?: () => void]>([
    [
      '/firewall disable server:web-2',
      'did not',
      'It looks as if it did not happen: the firewall is enabled.',
      ['It did not'],
    ],
    [
      '/traffic add server:mail-1 month:1 amount:500',
      'did',
      'It looks as if it happened: there is one more such block.',
      ['It happened'],
    ],
    // As many rules, and not the same.
    [
      '/firewall replace server:vpn-1 rulesets:1',
      'did',
      'It looks as if it happened: 1 rule is set, not the same as before.',
      ['It happened'],
    ],
    [
      '/firewall replace server:web-3 rulesets:1',
      'did not',
      'It looks as if it did not happen: 200 rules are set, the same as before. If these rulesets give the same rules, it may have.',
      ['It did not'],
    ],
    [
      '/firewall flush server:db-1',
      'did not',
      'This does not show whether it was done: 2 rules are set, as many as before, but not the same.',
      [],
      () => {
        primary(111).stored = { ...primary(111).stored, rules: primary(111).stored.rules.toReversed() };
      },
    ],
    ['/firewall enable server:mail-1', 'did not', 'Before: not read.', ['It happened']],
  ])('of %s, which the panel %s do: %s', async (line, did, says, labels, meanwhile) => {
    primary(161).stored = { enabled: true, rules: [{ id: 9, action: 'drop' }] };
    const card = await unknown(line, did === 'did' ? after500 : before500);
    meanwhile?.();
    expect(await checks('alice', card)).toContain(says);
    expect(labelsOf(lastAnswer('alice', card))).toEqual(labels);
  });

  it('holds a change without a question against what an earlier question read there', async () => {
    await world.alice.types('/firewall flush server:cache-1');
    await world.alice.clicks('Cancel');
    const card = await unknown('/firewall enable server:cache-1', before500);
    const text = await checks('alice', card);
    expect(text).toContain('This does not show whether it was done: the firewall is enabled, and was before.');
    expect(text).toMatch(/"Before" is what \/firewall flush read there/);
    // A throttle cannot be read.
    expect(labelsOf(await unknown('/cpu throttle server:cache-1 percent:50', after500))).toEqual(['Say what happened']);
  });
});
