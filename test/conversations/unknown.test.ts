import { describe, expect, it } from 'vitest';
import { words } from '../helpers/card-text.ts';
import { idOf, labelsOf, until, whisperAfter } from '../helpers/messages.ts';
import { plain } from '../helpers/person.ts';
import { startWorld, type World, worldForAll } from '../helpers/world.ts';

const broken = { kind: 'status-after', status: 500, match: { changes: true } } as const;

/** The newest card whose headline has this in it, as alice sees it. */
function seen({ discord }: World, start: string): string {
  const found = discord.messages('alice', 'ops').findLast(({ content }) => content.includes(start));
  return found === undefined ? '' : plain(discord.viewMessage('alice', found));
}

describe('an outcome that nobody knows', () => {
  const world = worldForAll();

  it('says how to check by hand, and waits for somebody who knows', async () => {
    world.panel.order(broken);
    await world.alice.types('/firewall flush server:web-1');
    expect(await world.alice.clicks('Confirm')).toShow(
      'UNKNOWN /firewall flush · web-1 (101, production)',
      'It may or may not have been done.',
      'The panel, or a proxy in front of it, failed with a server error. It answered 500.',
      'In the file: the 4 rules from before.',
      'Press Check now, or look at the server in the panel.',
      'Then press Say what happened. The bot will not send it again.',
      '📎 web-1-primary-rules-before.txt (506 bytes)',
      '[Check now] [Say what happened]',
    );
  });

  it('is said in every question on that server, and on cards of what is not asked about', async () => {
    expect(await world.alice.types('/power restart server:web-1,web-2')).toShow(
      'QUESTION /power restart · 2 servers (2 production)',
      'web-1 (101) and web-2 (102) will be restarted.',
      '**/firewall flush of web-1 (101) ended unknown** T ago, by @alice (run R.1): look before you confirm.',
      '[Restart 2 servers] [Cancel] [One after the other]',
    );
    await world.alice.clicks('Cancel');
    expect(await world.bob.types('/firewall enable server:web-1')).toShow(
      'SUCCEEDED /firewall enable · web-1 (101, production)',
      '**/firewall flush of web-1 (101) ended unknown** T ago, by @alice (run R.1): look at the server, and say on its card how it ended.',
    );
    expect(await world.bob.types('/firewall enable server:web-2')).not.toContain('ended unknown');
  });

  it('is closed with a reason, also after a restart', async () => {
    await world.restart();
    expect(await world.alice.clicks('Say what happened')).toBe('modal: /firewall flush · web-1');
    await world.alice.fills('It happened: no rules are `set` any more');
    expect(seen(world, 'HAPPENED /firewall flush')).toShow(
      'HAPPENED /firewall flush · web-1 (101, production)',
      'It happened, says @alice.',
      'Cannot be undone: the panel takes rulesets, not single rules.',
      'In the file: the 4 rules from before.',
      '📎 web-1-primary-rules-before.txt (506 bytes)',
    );
    expect(world.ledger().findLast(({ kind }) => kind === 'resolved')).toMatchObject({
      command: 'firewall.flush',
      server: { id: 101 },
      actor: { name: 'alice' },
      happened: true,
      why: 'no rules are `set` any more',
    });
    await world.alice.types('/power restart server:web-1');
    expect(seen(world, 'QUESTION /power restart')).not.toContain('ended unknown');
  });

  it.each([
    ['boot', 'whether it runs'],
    ['shutdown', 'whether it still runs'],
    ['restart', 'how long it has been running'],
    ['poweroff', 'whether it still runs'],
  ])('a %s that ended unknown is looked up by %s', async (action, what) => {
    world.panel.order({ kind: 'reset-after', match: { path: `/servers/103/power/${action}` } });
    const first = await world.alice.types(`/power ${action} server:web-3`);
    expect(action === 'boot' ? first : await world.alice.clicks('Confirm')).toShow(
      `UNKNOWN /power ${action} · web-3 (103, staging)`,
      `To check: look at the tasks of web-3 (103) in the panel, and ${what}.`,
      '[Say what happened]',
    );
  });
});

describe('two people who know', () => {
  const world = worldForAll();

  it('what did not happen leaves nothing open; what did can be handed over', async () => {
    for (const [label, isOpen] of [
      ['It did not happen', false],
      ['It happened', true],
    ] as const) {
      world.panel.order(broken);
      await world.alice.types('/firewall disable server:web-2');
      await world.alice.clicks('Confirm');
      expect(await world.alice.types('/handover')).toContain('1 unknown outcome');
      await world.alice.clicks('Say what happened');
      await world.alice.fills(`${label}: seen in the panel`);
      const shown = await world.alice.types('/handover');
      expect(shown).not.toMatch(/\d unknown outcome/);
      expect(shown.includes('1 firewall disabled')).toBe(isOpen);
    }
  });
});

describe('a follow-up whose end nobody saw', () => {
  it('is closed by whoever says how it ended, also from a card that still asks whether it happened', async () => {
    const world = await startWorld({
      intervals: {
        reconcile: 100,
        followUps: { first: 50, most: 100, retry: 50, deadline: 300 },
        cards: { looks: 50 },
      },
    });
    try {
      await world.alice.types('/backup restore server:cache-1 disks:0 reason:"lost update"');
      await world.alice.clicks('Confirm');
      await world.alice.fills('cache-1');
      const card = await world.discord.until(() =>
        world.discord
          .messages('alice', 'ops')
          .find((message) => words(message.content).startsWith('UNKNOWN') && message.replyTo === undefined),
      );
      expect(labelsOf(card)).toEqual(['Check now', 'Finished', 'Failed']);
      await until(() => world.ledger().some(({ step }) => step === 'announced'), 'the end');
      const run = world.ledger().find(({ step }) => step === 'ended')?.run ?? '';
      const old = await whisperAfter(world, card, 'alice', () =>
        world.discord.forge('alice', card.id, `happened:${run}`),
      );
      expect(old).toContain('What was started may still run. Press Finished or Failed on its card once it has ended.');
      expect(world.ledger().some(({ kind }) => kind === 'resolved')).toBe(false);
      const ping = await world.discord.until(() =>
        world.discord
          .messages('alice', 'ops')
          .find((message) => message.replyTo === card.id && labelsOf(message).includes('Finished')),
      );
      await world.discord.click('alice', ping.id, idOf(ping, 'Finished'));
      const closed = await world.discord.until(() =>
        world.discord
          .messages('alice', 'ops')
          .find(({ id, content }) => id === card.id && /^FINISHED/.test(words(content))),
      );
      expect(labelsOf(closed)).toEqual([]);
      expect(closed.embeds[0]?.description).toContain('**It worked: the restore of cache-1 finished');
      expect(closed.embeds[0]?.description).not.toContain('It may still run');
    } finally {
      await world.stop();
    }
  });
});
