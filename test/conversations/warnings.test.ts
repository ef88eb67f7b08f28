import { expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

const world = worldForAll();

it('a card that warns of a run says how that ended, once somebody knows', async () => {
  const { alice, panel, discord } = world;
  panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
  await alice.types('/firewall enable server:web-1');
  const question = await alice.types('/firewall flush server:web-1');
  expect(question).toMatch(/│ \*\*\/firewall enable of web-1 \(101\) ended unknown\*\* .* look before you confirm\./);
  await alice.clicks('Say what happened');
  await alice.fills('It did not happen: the panel shows it disabled');
  const newest = () => discord.viewMessage('alice', discord.messages('alice', 'ops').at(-1) ?? never());
  await discord.until(() => newest().includes('is no longer open: it did not happen.'));
  expect(newest()).toMatch(
    /\[\/firewall enable of web-1 \(101\)\]\(https:\S+\) is no longer open: it did not happen\./,
  );
  expect(newest()).not.toContain('ended unknown');
  expect(newest()).toContain('[Flush web-1] [Cancel]');
});

it('says by whom a question was asked that nobody confirmed', async () => {
  expect(await world.alice.clicks('Cancel')).toMatch(/│ Asked by @alice · run/);
});

const never = (): never => {
  throw new Error('there is no message');
};
