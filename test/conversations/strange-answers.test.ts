import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

/** Machines differ a little in what time it is, and the file says when. */
const sizeless = (card: string): string => card.replace(/\(\d+ bytes\)/g, '(N bytes)');

/** How far off that is depends on the day. */
const steady = (card: string): string => card.replace(/It ends [^.]+\./, 'It ends T.');

describe('an answer in a form that the bot does not know', () => {
  const world = worldForAll();

  const answers = (body: unknown): void => world.panel.order({ kind: 'status-before', status: 200, body });
  const file = (): string => {
    const files = world.discord.messages('carol', 'ops').at(-1)?.files ?? [];
    return files.map(({ name, bytes }) => `${name}\n${Buffer.from(bytes).toString()}`).join('\n');
  };
  const period = { month: 1, start: '2026-11-01T00:00:00+00:00', end: '2026-11-30T23:59:59+00:00' };
  const block = { id: 1, current: true, traffic: 500, added: '2026-11-20T03:00:00+00:00', ...period };

  it('carol sees the blocks that have dates as ever, and the one without as it came', async () => {
    answers({
      data: {
        assigned: [block, { id: 2, month: 2, traffic: 250, start: null, end: null }],
        available: { total: 1, current: period, months: { 1: period } },
      },
    });
    expect(steady(sizeless(await world.carol.types('/traffic show server:web-1')))).toShow(
      'Traffic of web-1',
      'Traffic can be added to 1 period: the option month of /traffic add lists them.',
      '**500 GB** in period 1, `2026-11-01` to `2026-11-30`',
      '⚠ **Not in the form that the bot knows**: 1 traffic block. As it came:',
      'id=2 month=2 traffic=250',
      'start=null end=null',
      'The file has all of it, without what looks like a secret.',
      '📎 answer.json (N bytes)',
      '[Share]',
      '(only carol sees this)',
    );
    expect(file()).toMatchInlineSnapshot(`
      "answer.json
      [
        {
          "what": "traffic block",
          "value": {
            "id": 2,
            "month": 2,
            "traffic": 250,
            "start": null,
            "end": null
          }
        }
      ]
      "
    `);
  });

  it('and nothing but that it is unknown where nothing can be shown', async () => {
    answers([]);
    expect(await world.carol.types('/hypervisors groups')).toShow(
      'UNKNOWN /hypervisors groups',
      'The panel answered in a format that the bot does not recognize.',
      '[Ask again]',
      '(only carol sees this)',
    );
  });

  it('but no change goes by it: alice is not asked to flush a firewall that cannot be read', async () => {
    answers({ data: { status: 'on', rules: [] } });
    expect(await world.alice.types('/firewall flush server:web-1')).toContain(
      'Nothing was sent, because what is set now could not be read.',
    );
    expect(world.panel.effects).toEqual([]);
  });
});
