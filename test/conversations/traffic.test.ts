import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

/** How far off that is depends on the day. */
const steady = (card: string): string => card.replace(/It ends [^.]+\./, 'It ends T.');

describe('traffic blocks', () => {
  const world = worldForAll({ panel: { now: () => new Date('2026-11-20T03:00:00Z') } });

  it('carol looks: nothing was added yet', async () => {
    expect(steady(await world.carol.types('/traffic show server:web-1'))).toShow(
      'Traffic of web-1',
      'Current billing period: 1, `2026-11-01` to `2026-11-30`.',
      'It ends T.',
      'Traffic can be added to 25 periods: the option month of /traffic add lists them.',
      'There are no traffic blocks.',
      "How much was used, and how much is allowed, is not in the panel's interface: look in the panel.",
      '[Share]',
      '(only carol sees this)',
    );
  });

  it('alice is offered the billing periods with their dates', async () => {
    const periods = await world.alice.chooses('/traffic add server:web-1', 'month');
    expect(periods).toHaveLength(25);
    expect(periods.slice(0, 3)).toEqual([
      { name: 'period 1: 2026-11-01 to 2026-11-30', value: 1 },
      { name: 'period 2: 2026-12-01 to 2026-12-31', value: 2 },
      { name: 'period 3: 2027-01-01 to 2027-01-31', value: 3 },
    ]);
    expect(await world.alice.chooses('/traffic add server:web-1 month:25', 'month')).toEqual([
      { name: 'period 25: 2028-11-01 to 2028-11-30', value: 25 },
    ]);
  });

  it('a period that the panel does not list is warned about', async () => {
    expect(await world.alice.types('/traffic add server:web-1 month:26 amount:1')).toShow(
      'QUESTION /traffic add · web-1 (101, production)',
      '1 GB of traffic will be added to web-1 (101) for billing period 26.',
      'The panel lists no period 26 for this server: it will probably refuse.',
      '[Add 1 GB to web-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'REJECTED /traffic add · web-1 (101, production)',
      'The panel refused what was sent (422).',
      'The panel says: `month: Month 26 is not available.`',
      '[Ask again]',
    );
  });
});
