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
