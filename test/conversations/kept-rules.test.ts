import { describe, expect, it } from 'vitest';
import { asks, ended, labelsOf, messageOf, stateOf, textOf, until } from '../helpers/messages.ts';
import { worldForEach } from '../helpers/world.ts';

const world = worldForEach({ still: true });

const filesOf = (id: string): string[] => messageOf(world, id).files.map(({ name }) => name);
const textIn = (id: string): string => new TextDecoder().decode(messageOf(world, id).files[0]?.bytes);

/** A command that alice confirms: its card's id. */
async function confirms(line: string): Promise<string> {
  const question = await asks(world, line);
  await world.alice.clicks('Confirm');
  await ended(world, question);
  return question.id;
}
/** Waits until the bot knows what a replace has set. */
const readBacks = (count: number) =>
  until(() => world.ledger().filter(({ kind }) => kind === 'read-back').length === count, 'what was read back');
const firewall = () => world.panel.state.server(101).interfaces.primary.firewall;
const replaces = (): unknown[] => world.panel.effects.map(({ body }) => body);

it('What a flush removes is in a file on its card, once, also after a restart, and cannot be undone', async () => {
  const card = await confirms('/firewall flush server:web-1 reason:"locked out"');
  expect(filesOf(card)).toEqual(['web-1-primary-rules-before.txt']);
  const kept = textIn(card);
  expect(kept.split('\n')).toEqual([
    'web-1 (101), primary interface: 4 rules right before /firewall flush',
    expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:.]+Z, run [0-9a-z]+\.1, SHA-256 59272dc366464ad0[0-9a-f]{48}$/),
    '',
    '1  action=accept direction=in protocol=tcp port=22 source=192.0.2.0/24 id=101001',
    '2  action=accept direction=in protocol=tcp port=80 source=0.0.0.0/0 id=101002',
    '3  action=accept direction=in protocol=tcp port=443 source=0.0.0.0/0 id=101003',
    '4  action=accept direction=in protocol=icmp port="" source=0.0.0.0/0 id=101004',
    '',
  ]);
  expect(textOf(messageOf(world, card))).toContain('In the file: the 4 rules from before.');
  expect(textOf(messageOf(world, card))).toContain('Cannot be undone: the panel takes rulesets, not single rules.');
  expect(labelsOf(messageOf(world, card))).toEqual([]);
  expect(world.entries().find(({ kind }) => kind === 'asked')).toMatchObject({
    says: expect.arrayContaining([
      '**Cannot be undone; a file keeps the rules.** 4 rules are set now. The firewall is enabled.',
    ]),
  });
  expect(await world.alice.types('/firewall flush server:web-1')).toMatch(
    /QUESTION [^\n]*\n {2}│ Nothing to remove: no firewall rules are stored for web-1 \(101\), primary interface\./,
  );
  await world.alice.clicks('Cancel');
  await world.restart();
  await confirms('/firewall replace server:web-1 rulesets:1');
  await world.discord.until(() => textOf(messageOf(world, card)).includes('Changed again since, by'));
  expect([filesOf(card), textIn(card)]).toEqual([['web-1-primary-rules-before.txt'], kept]);
});

describe('Undo of what removed all rules', () => {
  it('sets the rulesets that gave exactly those, by a question of its own; then the card is undone', async () => {
    await confirms('/firewall replace server:web-1 rulesets:1,2');
    await readBacks(1);
    await world.restart();
    const question = await world.alice.types('/firewall flush server:web-1');
    expect(question).toContain('**Undo can apply the rulesets that produced these rules.** 3 rules are set now.');
    expect(question).not.toContain('Cannot be undone');
    await world.alice.clicks('Confirm');
    const card = world.discord.messages('alice', 'ops').at(-1) ?? expect.fail('no card');
    await world.discord.until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED');
    expect(labelsOf(messageOf(world, card.id))).toEqual(['Undo']);
    expect(textOf(messageOf(world, card.id))).not.toContain('Cannot be undone');
    const undo = await world.alice.clicks('Undo');
    expect(undo).toContain('will be removed, and rulesets 1 and 2 set instead.');
    expect(undo).toContain('0 rules are set now.');
    expect(replaces()).toHaveLength(2);
    await world.alice.clicks('Confirm');
    expect(replaces()).toEqual([{ rulesets: [1, 2] }, { rulesets: [] }, { rulesets: [1, 2] }]);
    await world.discord.until(() => messageOf(world, card.id).content.includes('· undone'));
    expect(filesOf(card.id)).toEqual(['web-1-primary-rules-before.txt']);
    expect(textIn(card.id)).toContain('\n3  action=accept direction=in protocol=tcp port=443 source=0.0.0.0/0 id=22\n');
  });

  it('is not offered for a rule that somebody set by hand since, nor for the same rules of another interface', async () => {
    await confirms('/firewall replace server:web-1 rulesets:1,2');
    await readBacks(1);
    const { stored } = firewall();
    firewall().stored = {
      ...stored,
      rules: stored.rules.map((rule, i) => (i === 1 ? { ...rule, port: '8080' } : rule)),
    };
    expect(await world.alice.types('/firewall flush server:web-1')).toContain(
      '**Cannot be undone; a file keeps the rules.** 3 rules are set now.',
    );
    await world.alice.clicks('Cancel');
    const { secondary } = world.panel.state.server(101).interfaces;
    if (secondary !== undefined) secondary.firewall.stored = stored;
    expect(await world.alice.types('/firewall flush server:web-1 interface:secondary')).toContain('Cannot be undone;');
    await world.alice.clicks('Cancel');
  });

  it('does not say undone where the rulesets gave other rules this time: changed again, which is so', async () => {
    await confirms('/firewall replace server:web-1 rulesets:1,2');
    await readBacks(1);
    const card = await confirms('/firewall flush server:web-1');
    world.panel.state.rulesets[2] = [];
    await world.alice.clicks('Undo');
    await world.alice.clicks('Confirm');
    await readBacks(2);
    await world.discord.until(() => textOf(messageOf(world, card)).includes('Changed again since, by'));
    expect(messageOf(world, card).content).not.toContain('undone');
    expect(labelsOf(messageOf(world, card))).toEqual([]);
  });

  it('of an unknown flush is offered once somebody says that it happened; the file is there before', async () => {
    await confirms('/firewall replace server:web-1 rulesets:1,2');
    await readBacks(1);
    world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
    await world.alice.types('/firewall flush server:web-1');
    await world.alice.clicks('Confirm');
    const card = await world.discord.until(() =>
      world.discord.messages('alice', 'ops').find((each) => stateOf(each) === 'UNKNOWN'),
    );
    expect(filesOf(card.id)).toEqual(['web-1-primary-rules-before.txt']);
    await world.alice.clicks('Say what happened');
    await world.alice.fills('It happened: no rule is left');
    await world.discord.until(() => stateOf(messageOf(world, card.id)) === 'HAPPENED');
    expect(labelsOf(messageOf(world, card.id))).toEqual(['Undo']);
  });
});

describe('the look before all rules are removed', () => {
  it('finds other rules of the same number: nothing is sent, because the question was about those', async () => {
    await world.alice.types('/firewall flush server:web-1');
    const { stored } = firewall();
    firewall().stored = { ...stored, rules: stored.rules.toReversed() };
    const card = await world.alice.clicks('Confirm');
    expect(card).toContain('NOT-SENT /firewall flush');
    expect(card).toContain('As many as then, but not the same.');
    expect(replaces()).toEqual([]);
  });

  it('finds more than an entry holds: the question says so, and the card that they are gone', async () => {
    const rules = Array.from({ length: 3_000 }, (_, id) => ({
      id,
      action: 'accept',
      source: '192.0.2.0/24',
      port: '22',
    }));
    firewall().stored = { enabled: true, rules };
    expect(await world.alice.types('/firewall flush server:web-1')).toContain(
      '**Cannot be undone, and the rules are too large to keep: save them first.** 3000 rules are set now. The firewall is enabled.',
    );
    const card = await world.alice.clicks('Confirm');
    expect(card).toContain('SUCCEEDED /firewall flush');
    expect(card).toContain('The 3000 rules from before were too large to keep.');
    expect(card).not.toContain('📎');
    const intent = world.app.entries().find((entry) => entry.kind === 'intent');
    expect(intent?.kept).toEqual({
      interface: 'primary',
      count: 3000,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

it('Where Discord takes no file the card says so, and the ledger has the rules', async () => {
  world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'files' });
  const card = await confirms('/firewall flush server:web-1');
  expect(textOf(messageOf(world, card))).toContain('Its file is missing, because Discord did not take it');
  const intent = world.app.entries().find((entry) => entry.kind === 'intent');
  expect(intent?.kept?.rules).toHaveLength(4);
});
