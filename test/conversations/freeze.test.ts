import { describe, expect, it } from 'vitest';
import { answerTo, asks, changes, confirms, ended, idOf, stateOf, textOf, until } from '../helpers/messages.ts';
import { changePolicy, exampleWith } from '../helpers/policy/in-force.ts';
import { examplePolicy, worldForEach } from '../helpers/world.ts';

const world = worldForEach({ still: true, audit: true });

/** alice freezes all servers: it asks, and she means it. */
async function freezesAll(options: string): Promise<string> {
  await world.alice.types(`/freeze ${options}`);
  return await world.alice.fills('All servers');
}

const kinds = (): string[] => world.entries().map(({ kind }) => kind);
const last = (kind: string) => world.entries().findLast((entry) => entry.kind === kind);

describe('a freeze', () => {
  it('stops changes at the command, says until when, by whom and why, and leaves reads alone', async () => {
    const card = await world.alice.types('/freeze tier:production until:2h reason:"database migration"');
    expect(card).toMatch(
      /SUCCEEDED \/freeze · tier `production`.*\n.*is frozen until .* by @alice: `database migration`\./,
    );
    expect(card).toContain('To end it early: `/thaw tier:production`');

    const flush = await world.alice.types('/firewall flush server:web-1');
    expect(flush).toShow(
      'BLOCKED /firewall flush · web-1 (101, production)',
      'Nothing was sent: changes are frozen.',
      'by @alice: `database migration`',
      '@lead may end the freeze: `/thaw tier:production`.',
      '[Ask again]',
    );
    expect(await world.bob.types('/power boot server:web-1')).toContain('BLOCKED /power boot');
    expect(await world.carol.types('/firewall show server:web-1')).toContain('enabled with 4 rules');
    expect(changes(world)).toEqual([]);
    const blocked = { kind: 'outcome', outcome: 'blocked', reason: 'frozen' };
    expect(world.ledger()).toMatchObject([blocked, blocked]);
    // Another tier is not meant.
    expect(await world.bob.types('/power boot server:web-3')).toContain('ACCEPTED');
  });

  it('that stops on-call has a button that asks those who may end it, once; their message ends it', async () => {
    await world.alice.types('/freeze tier:production reason:migration');
    const blocked = await world.bob.types('/power boot server:web-1');
    expect(blocked).toContain('[Ask a lead to thaw]');
    expect(await world.alice.types('/power boot server:web-2')).not.toContain('to thaw]');
    await world.bob.clicks('Ask a lead to thaw');
    const ping = await world.discord.until(() =>
      world.discord.messages('alice', 'ops').find(({ pinged }) => pinged.length > 0),
    );
    expect(textOf(ping)).toContain('<@1400000000000000002> asks you to end the freeze, for: Boot web-1.');
    expect(textOf(ping)).toMatch(/Tier `production` is frozen until .*`migration`/);
    expect(await world.alice.clicks('End the freeze')).toContain('SUCCEEDED /thaw · tier `production`');
    expect(await world.bob.clicks('Ask again')).toContain('ACCEPTED /power boot');
    await until(() => /ASKED FOR A THAW.*@bob/.test(world.alice.sees('audit')), 'the trail');
  });

  it('stops Undo, Ask again and Apply now, which are changes, too, until it is ended', async () => {
    await confirms(world.alice, '/firewall disable server:web-1');
    await world.alice.types('/firewall enable server:web-2 sync:false');
    const sent = changes(world).length;
    await freezesAll('reason:"not now"');
    expect(await world.bob.clicks('Apply now')).toContain('BLOCKED /firewall sync');
    expect(await world.bob.clicks('Undo')).toContain('BLOCKED /firewall enable');
    expect(await world.bob.clicks('Ask again')).toContain('BLOCKED /firewall enable');
    expect(changes(world)).toHaveLength(sent);
    const thawed = await world.alice.types('/thaw reason:done');
    expect(thawed).toContain('SUCCEEDED /thaw · all servers');
    expect(thawed).toContain('The freeze of all servers is over.');
    expect(await world.bob.clicks('Ask again')).toContain('SUCCEEDED /firewall enable');
  });

  it('of all servers is asked for in a form, with the tiers beside it; it ends by itself at its time, without a message', async () => {
    expect(await world.alice.types('/freeze until:1h reason:migration')).toBe('modal: /freeze');
    const [choice] = world.discord.modalOf('alice')?.inputs ?? [];
    expect(choice?.label).toMatch(/^Freeze until \d+ \w+ \d{4}, \d\d:\d\d UTC$/);
    const labels = choice?.options?.map(({ label }) => label);
    expect(labels).toEqual(['All servers', 'internal', 'lab', 'production', 'staging']);
    expect(kinds()).not.toContain('frozen');
    expect(await world.alice.fills('All servers')).toContain('SUCCEEDED /freeze · all servers');
    const handover = () => world.carol.types('/handover');
    expect(await handover()).toMatch(/Freezes in force.*All servers are frozen until .*`migration`/s);
    world.timePasses(60 * 60_000);
    const before = kinds();
    expect(await handover()).toContain('Nothing is open.');
    expect(kinds()).toEqual(before);
    expect(await world.bob.types('/power boot server:web-1')).toContain('ACCEPTED');
  });

  it('is chosen from a list where there are more tiers than Discord shows at once', async () => {
    const more = Array.from({ length: 7 }, (_, n) => `{ match: [x${n}-*], tier: t${n} }`).join(', ');
    changePolicy(world, examplePolicy.replace('servers:\n', `tiers: [${more}]\nservers:\n`));
    await world.alice.types('/freeze until:1h reason:migration');
    expect(world.discord.modalOf('alice')?.inputs[0]?.options).toHaveLength(12);
    expect(await world.alice.fills('t6')).toContain('SUCCEEDED /freeze · tier `t6`');
  });

  it('can be extended by whoever may, and shortened only by /thaw', async () => {
    await freezesAll('until:2h reason:migration');
    expect(await freezesAll('until:1h reason:"be quick"')).toMatch(
      /INVALID \/freeze[\s\S]*`migration`[\s\S]*stays as it is/,
    );
    expect(await freezesAll('until:3h reason:"takes longer"')).toContain('SUCCEEDED');
    expect(kinds().filter((kind) => kind === 'frozen')).toHaveLength(2);
    expect(await world.alice.types('/thaw tier:production')).toMatch(
      /There is no freeze of tier `production`.*Still in force: .*`takes longer`/s,
    );
    await world.alice.types('/thaw');
    expect(last('thawed')).toMatchObject({ ends: last('frozen')?.seq });
    expect(await world.alice.types('/thaw')).toContain('There is no freeze of all servers.');
    for (const options of ['until:yesterday', 'until:32d', 'tier:prod'])
      expect(await world.alice.types(`/freeze ${options} reason:x`)).toContain('INVALID /freeze');
    expect(await world.alice.types('/freeze tier:PRODUCTION until:1m reason:x')).toContain('SUCCEEDED /freeze');
  });

  it('leaves a change that is under way, and what is followed, alone', async () => {
    world.panel.order({ kind: 'hang-before', match: { changes: true } });
    const boot = await world.discord.type('bob', 'ops', '/power boot server:web-1');
    await world.panel.until(() => changes(world).length === 1);
    expect(await freezesAll('reason:migration')).toContain('1 change under way goes on.');
    await world.panel.clear();
    expect(stateOf(await answerTo(world, boot, ['ACCEPTED', 'BLOCKED', 'NOT-SENT'], 'bob'))).toBe('ACCEPTED');
  });
});

it('A freeze that begins while a server is read stops what was about to be sent', async () => {
  const question = await asks(world, '/firewall flush server:web-1');
  world.panel.order({ kind: 'hang-before', match: {} });
  const reads = world.panel.requests.length;
  await world.discord.click('alice', question.id, idOf(question, 'Flush web-1'));
  await world.panel.until(() => world.panel.requests.length > reads);
  await world.alice.types('/freeze tier:production reason:migration');
  await world.panel.clear();
  const card = await ended(world, question);
  expect(textOf(card)).toMatch(/BLOCKED[\s\S]*frozen until .*`migration`/);
  expect(changes(world)).toEqual([]);
});

describe('a change during a freeze', () => {
  const during = examplePolicy.replace(
    'panel.refresh, alerts.acknowledge],',
    'panel.refresh, alerts.acknowledge],\n      during-freeze: ["power.*"],',
  );
  it('must be confirmed, by whoever has the right to it, and the ledger names the freeze that it passed', async () => {
    changePolicy(world, during);
    await freezesAll('reason:migration');
    const question = await world.alice.types('/power boot server:web-1');
    expect(question).toContain('QUESTION /power boot');
    expect(question).toMatch(/\*\*All servers are frozen until .*`migration`\*\*\. You may continue anyway\./);
    expect(await world.alice.clicks('Confirm')).toContain('ACCEPTED /power boot');
    expect(last('intent')).toMatchObject({ despite: [last('frozen')?.seq] });
    // Nobody else, and nothing else.
    expect(await world.bob.types('/power boot server:web-1')).toContain('BLOCKED');
    expect(await world.alice.types('/firewall flush server:web-1')).toContain('BLOCKED');
  });

  const freezes = async () => void (await world.alice.types('/freeze tier:production reason:migration'));
  const nothing = async () => undefined;
  it.each([
    ['bob', 'of a freeze since', examplePolicy, nothing, freezes],
    ['alice', 'of a freeze that its question did not tell of', during, freezes, () => freezesAll('reason:new')],
    ['alice', 'of the right, taken away since', during, freezes, async () => changePolicy(world, examplePolicy)],
  ] as const)('of %s is refused at the click because %s', async (who, _, policy, before, meanwhile) => {
    changePolicy(world, policy);
    await before();
    const question = await asks(world, '/power restart server:web-1', who);
    await meanwhile();
    await world.discord.click(who, question.id, idOf(question, 'Confirm'));
    const card = await ended(world, question);
    expect(stateOf(card)).toBe('BLOCKED');
    expect(textOf(card)).toMatch(/frozen until .*`(new|migration)`/);
    expect(changes(world)).toEqual([]);
    const blocked = { kind: 'outcome', outcome: 'blocked', reason: 'frozen' };
    expect(world.ledger().slice(-3)).toMatchObject([{ kind: 'asked' }, { kind: 'confirmed' }, blocked]);
  });
});

it('A held server is changed by its holder alone; others read who, until when and why, and may take it over', async () => {
  expect(await world.bob.types('/hold server:web-1 reason:"looking for the leak"')).toMatch(
    /SUCCEEDED \/hold · web-1 \(101, production\)[\s\S]*Held until .* by @bob: `looking for the leak`/,
  );
  const blocked = await world.alice.types('/power boot server:web-1');
  expect(blocked).toContain('BLOCKED /power boot · web-1');
  expect(blocked).toMatch(/Held until .* by @bob: `looking for the leak`/);
  expect(await world.bob.types('/power boot server:web-1')).toContain('ACCEPTED');
  expect(await world.bob.types('/power restart server:web-1')).toMatch(/Held until .* by @bob.* That is you\./);
  await world.bob.clicks('Cancel');

  const refused = await world.alice.types('/hold server:web-1 reason:"I know it"');
  expect(refused).toContain('BLOCKED /hold');
  expect(refused).toContain('To take it over: `/hold server:web-1 take-over:True`');
  const taken = await world.alice.types('/hold server:web-1 reason:"I know it" take-over:true');
  expect(taken).toContain('Taken over from @bob: `looking for the leak`');
  expect(await world.bob.types('/power boot server:web-1')).toMatch(/BLOCKED[\s\S]*by @alice: `I know it`/);
  expect(await world.carol.types('/handover')).toMatch(/Servers held.*web-1 \(101\): Held until .*`I know it`/s);
  expect(await world.bob.types('/release server:web-1')).toMatch(/web-1 \(101\) is released\.[\s\S]*@alice held it/);
  expect(await world.bob.types('/release server:web-1')).toContain('Nobody holds web-1 (101).');
  expect(await world.bob.types('/power boot server:web-1')).toContain('ACCEPTED');
});

describe('a server whose tier no rule says, or that nobody listed', () => {
  /** The example without the tiers of its rows, and with rules for some. web-3 fits none of them. */
  const policy = exampleWith(
    ['{ id: 101, name: web-1, tier: production', '{ id: 101, name: web-1'],
    ['{ id: 103, name: web-3, tier: staging', '{ id: 103, name: web-3'],
    [
      '\nunlisted: nothing',
      `
tiers:
  - { match: [web-1], tier: production }
  - { group: 3, tier: lab }
unlisted: all`,
    ],
    ['\ncommands:', '\ncommands:\n  - { match: [power.boot], tiers: [production], reason: required, confirm: true }'],
  );
  const world = worldForEach({ still: true, audit: true, policy });

  it('is held to each of them: to their rows and to their freezes', async () => {
    expect(await world.alice.types('/power boot server:web-3 reason:up')).toContain('web-3 (103, every tier)');
    expect(await world.alice.sees()).toContain('QUESTION');
    expect(await confirms(world.alice, '/freeze tier:lab reason:"not now"')).toContain('BLOCKED');
    expect(changes(world)).toEqual([]);
    // web-1 is production by a rule, lab-1 has the tier of its group.
    expect(await world.alice.types('/firewall sync server:web-1')).toContain('SUCCEEDED');
    expect(await world.alice.types('/firewall sync server:lab-1')).toContain('BLOCKED');
  });

  it('is so in the ledger, beside the server', async () => {
    await world.alice.types('/freeze tier:production reason:"not now"');
    expect(await world.alice.types('/firewall sync server:4711')).toContain('BLOCKED');
    expect(world.ledger().at(-1)).toMatchObject({ server: { id: 4711, heldTo: 'every' } });
    expect(changes(world)).toEqual([]);
  });
});
