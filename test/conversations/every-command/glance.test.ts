import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { typedName } from '../../helpers/every-command/deeds.ts';
import { changings, readings } from '../../helpers/every-command/lines.ts';
import { sharedWorld } from '../../helpers/every-command/meets.ts';

/** What a person sees of a card before anything else. */
const world = sharedWorld();

const newest = (who: 'alice' | 'carol'): SeenMessage => {
  const card = world().discord.messages(who, 'ops').at(-1);
  if (card === undefined) throw new Error('there is no card');
  return card;
};

/** The first two lines of a card, as Discord has them. */
function glance({ content, embeds }: SeenMessage): [first: string, second: string] {
  return [content, embeds[0]?.description?.split('\n', 1)[0] ?? ''];
}

/** A mark; in bold the outcome, the command and the server; in bold the fact, which is a whole sentence. */
const first = (state: string, id: string): RegExp =>
  new RegExp(`^[^\\w\\s] \\*\\*${state} ${typedName(id)} · web-1 \\(101, production\\)\\*\\*$`);
const fact = /^\*\*[^*]{10,}\*\*$/;

describe('the first two lines', () => {
  it.each(changings)('of %s tell the outcome, the command, the server and the fact', async (id, { line, asks }) => {
    const { alice, panel } = world();
    if (asks !== 'no') {
      await alice.types(line);
      expect(glance(newest('alice'))).toEqual([
        expect.stringMatching(first('QUESTION', id)),
        expect.stringMatching(fact),
      ]);
      await alice.clicks('Cancel');
      expect(glance(newest('alice'))).toEqual([expect.stringMatching(first('CANCELLED', id)), '**Nothing was sent.**']);
    }
    panel.order({ kind: 'status-before', status: 423, body: { errors: ['Pending.'] }, match: { changes: true } });
    await alice.types(line);
    if (asks !== 'no') await alice.clicks('Confirm');
    if (asks === 'typed') await alice.fills('web-1');
    expect(glance(newest('alice'))).toEqual([
      expect.stringMatching(first('REJECTED', id)),
      '**Other tasks are pending for this server (423).**',
    ]);
    await panel.clear();
    panel.order({ kind: 'status-before', status: 500, match: { changes: true } });
    await alice.types(line);
    if (asks !== 'no') await alice.clicks('Confirm');
    if (asks === 'typed') await alice.fills('web-1');
    expect(glance(newest('alice'))).toEqual([
      expect.stringMatching(first('UNKNOWN', id)),
      '**It may or may not have been done.**',
    ]);
    await alice.clicks('Say what happened');
    await alice.fills('It did not happen: looked at the panel');
    expect(glance(newest('alice'))).toEqual([
      expect.stringMatching(first('DID NOT HAPPEN', id)),
      expect.stringMatching(/^\*\*It did not happen, says <@\d+>\.\*\*$/),
    ]);
    await panel.clear();
  });

  it.each(readings)('of %s tell what is shown, and the fact', async (_id, { line }) => {
    await world().carol.types(line);
    expect(glance(newest('carol'))).toEqual([
      expect.stringMatching(/^≡ \*\*[A-Z][^*]+\*\*$/),
      expect.stringMatching(/^\*\*[^*]{5,}\*\*$/),
    ]);
  });
});

describe('buttons', () => {
  const asking = changings.filter(([, { asks }]) => asks !== 'no');

  it.each(asking)('of the question of %s say what they do, to which server', async (_id, { line }) => {
    await world().alice.types(line);
    const [confirm, cancel] = newest('alice').buttons;
    expect(confirm?.label).toMatch(/^[A-Z][a-z]+ .*web-1/);
    expect(confirm?.label.length).toBeLessThanOrEqual(80);
    expect(cancel?.label).toBe('Cancel');
    await world().alice.clicks('Cancel');
  });

  it('are red where what they confirm is destructive, and only there', async () => {
    await world().alice.types('/firewall flush server:web-1');
    expect(newest('alice').buttons.map(({ label, style }) => [label, style])).toEqual([
      ['Flush web-1', 4],
      ['Cancel', 2],
      ['Details', 2],
    ]);
    await world().alice.clicks('Cancel');
    await world().alice.types('/ipv4 assign server:web-1 quantity:1');
    expect(newest('alice').buttons.map(({ label, style }) => [label, style])).toEqual([
      ['Assign 1 address to web-1', 1],
      ['Cancel', 2],
      ['Details', 2],
    ]);
    await world().alice.clicks('Cancel');
  });

  it('name several servers by their number', async () => {
    await world().alice.types('/power poweroff server:web-1,web-2,web-3');
    expect(newest('alice').buttons[0]?.label).toBe('Power off 3 servers');
    await world().alice.clicks('Cancel');
  });
});
