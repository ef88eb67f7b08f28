import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { defaultLimits } from '../../src/shell/limits.ts';
import {
  asks,
  changes,
  ended,
  idOf,
  labelsOf,
  messageOf,
  stateOf,
  textOf,
  until,
  whisperAfter,
} from '../helpers/messages.ts';
import { steady } from '../helpers/record/scene.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { call } from '../helpers/sandbox/discord/raw.ts';
import { startWithTrail, typesUntil } from '../helpers/trail/conversation.ts';
import { audit, linesOf, reaches } from '../helpers/trail/process.ts';
import { examplePolicy, worldForEach } from '../helpers/world.ts';

describe('whoever is alone at night', () => {
  /** On production, shutdowns want an approval; bob may go on without, and flush, which he may not otherwise. */
  const policy = examplePolicy
    .replace('commands:\n', 'commands:\n  - { match: ["power.*"], tiers: [production], approvals: 1 }\n')
    .replace('allow-in-emergency: [backup.restore]', 'allow-in-emergency: [firewall.flush, power.shutdown]');
  const flush = '/firewall flush server:web-1';

  const world = worldForEach({ still: true, audit: true, policy, limits: defaultLimits });
  const { callWith, cards, cardWith, click, denialOf, kindsWithout, pingWith, runs, submit } = deedsIn(() => world);
  const pings = (): SeenMessage[] => cards().filter(({ pinged }) => pinged.length > 0);

  async function denial(): Promise<SeenMessage> {
    const card = await world.bob.types(flush);
    expect(card).toContain('Break glass: you confirm it, it runs at once, and somebody else reviews it afterwards.');
    expect(card).toContain('[Ask a lead] [Break glass]');
    return denialOf('bob', 'Break glass');
  }

  it('is not locked out by typos, and reads when the buttons are back after very many denials', async () => {
    for (let typo = 0; typo < 6; typo += 1)
      expect(await world.bob.types('/firewall flush server:wbe-1')).toContain('DENIED');
    const first = await denial();
    for (let again = 0; again < 4; again += 1) await denial();
    // Five typos and five others: a denial is recorded after its answer.
    await until(() => runs().filter(({ kind }) => kind === 'denied').length >= 10, 'ten denials on record');
    const sixth = await world.bob.types(flush);
    expect(sixth).toMatch(
      /After so many denials this one has no buttons\. Type the command again .*, or ask in the ch/,
    );
    expect(sixth).not.toMatch(/\[Break glass]|\[Ask a lead]|Break glass:/);
    await submit('bob', first, 'Break glass', 'nobody answers');
    await cardWith('Flush web-1');
    world.timePasses(10 * 60_000 + 1);
    await denial();
  });

  it('goes on without the right, says why, and somebody else closes the review in the morning', async () => {
    await submit('bob', await denial(), 'Break glass', 'locked out, nobody answers');
    const question = await cardWith('Flush web-1');
    expect(textOf(question)).toMatch(/QUESTION \/firewall flush.* · break-glass[\s\S]*With break-glass/);
    expect([pings(), changes(world)]).toEqual([[], []]);
    await click('bob', question, 'Flush web-1');
    const done = await ended(world, question);
    expect(textOf(done)).toMatch(/SUCCEEDED \/firewall flush.* · break-glass/);
    expect(textOf(done)).toContain('Break-glass: `locked out, nobody answers`');
    expect(changes(world)).toHaveLength(1);
    expect(kindsWithout('called', 'denied').slice(0, 4)).toEqual(['asked', 'confirmed', 'intent', 'outcome']);
    const ping = await world.discord.until(() => pings()[0]);
    expect(ping.pinged).toEqual(['alice']);
    expect(textOf(ping)).toContain(
      '<@1400000000000000002> asked the panel to flush the rules of web-1 · primary, without approval',
    );
    expect(textOf(await pingWith('all rules were removed'))).toContain('press Close the review.');
    expect(await world.carol.types('/handover')).toMatch(
      /Break-glass reviews open[\s\S]*\/firewall flush, because `locked out, nobody answers`/,
    );
    expect(await world.alice.types('/server show server:web-1')).toContain('[Close the review: web-1]');
    await submit('alice', await cardWith('Close the review'), 'Close the review', 'right, rule 7 was the cause');
    await world.discord.until(() => textOf(messageOf(world, done.id)).includes('Reviewed by'));
    const reviewed = messageOf(world, done.id);
    expect(textOf(reviewed)).toContain('Reviewed by <@1400000000000000001>: `right, rule 7 was the cause`');
    expect(labelsOf(reviewed)).not.toContain('Close the review');
    expect(await world.carol.types('/handover')).not.toContain('review open');
    await until(() => /BREAK-GLASS QUESTION[\s\S]*REVIEWED/.test(world.alice.sees('audit')), 'the trail');
    expect(pings()).toHaveLength(1);
    expect(textOf(await pingWith('The review is closed.'))).not.toContain('press Close the review');
  });

  it('has in /audit history who pressed Close the review without the right, not as a command that they typed', async () => {
    await submit('bob', await denial(), 'Break glass', 'locked out, nobody answers');
    await click('bob', await cardWith('Flush web-1'), 'Flush web-1');
    const card = await cardWith('Close the review');
    const hers = () => runs().filter(({ kind, actor }) => kind === 'denied' && actor.name === 'carol').length;
    // Beyond the fifth they are counted together.
    for (let press = 0; press < 7; press += 1) await click('carol', card, 'Close the review');
    await until(() => hers() === 5 && world.logged().split('"denied again"').length === 3, 'her denials');
    expect(steady(await world.alice.types('/audit history'))).toContain(
      '│ ⊗ **DENIED** `review` on /firewall flush web-1 (101) of @bob · @carol T ago · `RUN.1`',
    );
    world.timePasses(10 * 60_000);
    await until(() => hers() === 6, 'the entry for the others');
    expect(steady(await world.alice.types('/audit history'))).toContain(
      '│ ⊗ **DENIED ×2** `review` on /firewall flush `server:web-1` · @carol T ago · `RUN.1`',
    );
  });

  it('needs the permission for emergencies: without, it is not offered, and Confirm asks for that again', async () => {
    expect(await world.bob.types('/firewall disable server:web-1')).not.toContain('Break glass');
    expect(await world.carol.types(flush)).not.toContain('Break glass');
    await click('bob', await asks(world, '/power shutdown server:web-1', 'bob'), 'Confirm');
    await submit('bob', await callWith('Approve: shut down web-1'), 'Break glass', 'it is burning');
    const question = await cardWith('Shut down web-1');
    world.discord.setRoles('bob', ['viewer']);
    const told = await whisperAfter(world, question, 'bob', () => click('bob', question, 'Shut down web-1'));
    expect(told).toContain('DENIED');
    expect(changes(world)).toEqual([]);
  });

  it('changes nothing while a freeze or a hold is in force', async () => {
    const no = await denial();
    await world.alice.types('/freeze tier:production reason:"not now"');
    await submit('bob', no, 'Break glass', 'nobody answers');
    const frozen = await world.discord.until(() => cards().findLast((one) => textOf(one).includes('BLOCKED')));
    expect(textOf(frozen)).toContain('not now');
    await world.alice.types('/thaw tier:production');
    await submit('bob', no, 'Break glass', 'nobody answers');
    const question = await cardWith('Flush web-1');
    await world.alice.types('/hold server:web-1 reason:mine');
    await click('bob', question, 'Flush web-1');
    expect(stateOf(await ended(world, question))).toBe('BLOCKED');
    expect(changes(world)).toEqual([]);
    expect(await world.alice.types('/handover')).not.toContain('review open');
  });
});

describe('where changes wait for a closed audit channel', () => {
  /** Bob need not wait to enable a firewall: his question, with break-glass. */
  async function question() {
    const policy = examplePolicy
      .replace('audit-channel: wanted', 'audit-channel: required')
      .replace('allow-in-emergency: [backup.restore]', 'allow-in-emergency: [firewall.enable]');
    const world = await startWithTrail(policy);
    world.discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'send' });
    const enable = '/firewall enable server:web-1';
    await typesUntil(world.bob, enable, 'UNAVAILABLE');
    expect(await world.bob.types('/cpu throttle server:web-1 percent:50')).not.toContain('Break glass');
    await world.bob.types(enable);
    const { cards, submit } = deedsIn(() => world);
    const withButton = (label: string): Promise<SeenMessage> =>
      world.discord.until(() => cards('bob').findLast((one) => labelsOf(one).includes(label)));
    await submit('bob', await withButton('Break glass'), 'Break glass', 'nobody can open the channel');
    const asked = await withButton('Enable firewall of web-1');
    expect(changes(world)).toEqual([]);
    const confirm = () => world.discord.click('bob', asked.id, idOf(asked, 'Enable firewall of web-1'));
    return { world, asked, confirm };
  }

  it('bob goes on with break-glass, and the channel has it later', async () => {
    const { world, asked, confirm } = await question();
    await confirm();
    const done = await ended(world, asked);
    expect(stateOf(done)).toBe('SUCCEEDED');
    expect(textOf(done)).toContain('The audit channel is behind: Missing in');
    expect(changes(world)).toHaveLength(1);
    expect(await world.bob.types('/handover')).toContain('1 break-glass review open');
    world.discord.clear();
    await reaches(world.discord, () => world.entries().length);
    expect(linesOf(world.discord).some((line) => line.includes('BREAK-GLASS QUESTION'))).toBe(true);
  });

  it('a channel that contradicts the ledger stops break-glass as it stops everything', async () => {
    const { world, asked, confirm } = await question();
    world.discord.clear();
    await reaches(world.discord, () => world.entries().length);
    // What only the bot could have posted, of entries that the ledger does not have.
    const content = `STOPPED panelops\n#140–#141 · ${'ab'.repeat(18)}`;
    await call(world.discord, 'POST', `/channels/${audit}/messages`, { content });
    await typesUntil(world.bob, '/handover', 'has entries');
    await confirm();
    const card = await ended(world, asked);
    expect(stateOf(card)).toBe('UNAVAILABLE');
    expect(labelsOf(card)).not.toContain('Break glass');
    expect(changes(world)).toEqual([]);
  });
});
