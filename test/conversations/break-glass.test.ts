import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { defaultLimits } from '../../src/shell/limits.ts';
import {
  asks,
  changes,
  ended,
  labelsOf,
  messageOf,
  stateOf,
  textOf,
  until,
  whisperAfter,
} from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

/** On production, shutdowns want an approval; bob may go on without, and flush, which he may not otherwise. */
const policy = examplePolicy
  .replace('commands:\n', 'commands:\n  - { match: ["power.*"], tiers: [production], approvals: 1 }\n')
  .replace('allow-in-emergency: [backup.restore]', 'allow-in-emergency: [firewall.flush, power.shutdown]');

let world: World;
async function begin(text = policy): Promise<void> {
  world = await startWorld({ still: true, audit: true, policy: text });
}
beforeEach(() => begin());
afterEach(() => world.stop());

const { callWith, cards, cardWith, click, denialOf, kindsWithout, pingWith, runs, submit } = deedsIn(() => world);
const kinds = (): string[] => kindsWithout('called', 'denied');
const pings = (): SeenMessage[] => cards().filter(({ pinged }) => pinged.length > 0);
const flush = '/firewall flush server:web-1';

async function denial(line = flush): Promise<SeenMessage> {
  const card = await world.bob.types(line);
  expect(card).toContain('Break glass: you confirm it, it runs at once, and somebody else reviews it afterwards.');
  expect(card).toContain('[Ask a lead] [Break glass]');
  return denialOf('bob', 'Break glass');
}

/** Bob's shutdown of web-1 waits for an approval. */
async function waiting(): Promise<SeenMessage> {
  const question = await asks(world, '/power shutdown server:web-1', 'bob');
  await click('bob', question, 'Confirm');
  return callWith('Approve: shut down web-1');
}

describe('whoever is alone at night', () => {
  it('is not locked out by typos, and reads when the buttons are back after very many denials', async () => {
    await world.stop();
    world = await startWorld({ still: true, audit: true, policy, limits: defaultLimits });
    for (let typo = 0; typo < 6; typo += 1)
      expect(await world.bob.types('/firewall flush server:wbe-1')).toContain('DENIED');
    const first = await denial();
    for (let again = 0; again < 4; again += 1) await denial();
    // Five typos and five others: a denial is recorded after its answer.
    await until(() => runs().filter(({ kind }) => kind === 'denied').length >= 10, 'ten denials on record');
    const sixth = await world.bob.types(flush);
    expect(sixth).toMatch(
      /After so many denials this one has no buttons\. Type the command again .*, or ask in the channel\./,
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
    expect(textOf(question)).toMatch(/QUESTION \/firewall flush.* · break-glass/);
    expect(textOf(question)).toContain('With break-glass');
    expect(pings()).toEqual([]);
    expect(changes(world)).toEqual([]);
    await click('bob', question, 'Flush web-1');
    const done = await ended(world, question);
    expect(stateOf(done)).toBe('SUCCEEDED');
    expect(textOf(done)).toMatch(/SUCCEEDED \/firewall flush.* · break-glass/);
    expect(textOf(done)).toContain('Break-glass: `locked out, nobody answers`');
    expect(changes(world)).toHaveLength(1);
    expect(kinds().slice(0, 4)).toEqual(['asked', 'confirmed', 'intent', 'outcome']);
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
    const reviewed = await world.discord.until(() => {
      const now = messageOf(world, done.id);
      return textOf(now).includes('Reviewed by') && now;
    });
    expect(textOf(reviewed)).toContain('Reviewed by <@1400000000000000001>: `right, rule 7 was the cause`');
    expect(labelsOf(reviewed)).not.toContain('Close the review');
    expect(await world.carol.types('/handover')).not.toContain('review open');
    await until(() => /BREAK-GLASS QUESTION[\s\S]*REVIEWED/.test(world.alice.sees('audit')), 'the trail');
    expect(pings()).toHaveLength(1);
    expect(textOf(await pingWith('The review is closed.'))).not.toContain('press Close the review');
  });
});

describe('break-glass is refused', () => {
  it('without the permission for emergencies: it is not offered, and Confirm asks for that again', async () => {
    expect(await world.bob.types('/firewall disable server:web-1')).not.toContain('Break glass');
    expect(await world.carol.types(flush)).not.toContain('Break glass');
    const card = await waiting();
    await submit('bob', card, 'Break glass', 'it is burning');
    const question = await cardWith('Shut down web-1');
    world.discord.setRoles('bob', ['viewer']);
    const told = await whisperAfter(world, question, 'bob', () => click('bob', question, 'Shut down web-1'));
    expect(told).toContain('DENIED');
    expect(changes(world)).toEqual([]);
  });

  it('while a freeze or a hold is in force', async () => {
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
