import { describe, expect, it } from 'vitest';
import { worldForAll } from '../helpers/world.ts';

describe('power: queued is not done', () => {
  const world = worldForAll({ still: true });

  it('bob boots two servers, which is not asked about', async () => {
    expect(await world.bob.types('/power boot server:web-1,web-2')).toShow(
      'ACCEPTED /power boot · 2 servers',
      'Boot 2 servers: 2 accepted.',
      "**ACCEPTED** web-1 (101): The boot of web-1 is in the panel's queue (item 5001), not done yet.",
      "**ACCEPTED** web-2 (102): The boot of web-2 is in the panel's queue (item 5002), not done yet.",
    );
  });

  it('alice shuts one down', async () => {
    expect(await world.alice.types('/power shutdown server:web-1')).toShow(
      'QUESTION /power shutdown · web-1 (101, production)',
      'web-1 (101) will be asked to shut down.',
      'A guest may ignore that.',
      '**The boot of web-1 (101) is under way**: queue item 5001, started T ago by @bob (run R.1).',
      '[Shut down web-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'ACCEPTED /power shutdown · web-1 (101, production)',
      "The shutdown of web-1 is in the panel's queue (item 5003), not done yet.",
      '[Undo: boot web-1]',
    );
  });

  it('bob restarts it, as power.* allows him', async () => {
    expect(await world.bob.types('/power restart server:web-1 reason:"hangs since 02:50"')).toShow(
      'QUESTION /power restart · web-1 (101, production)',
      'web-1 (101) will be restarted.',
      'Everything running there is interrupted.',
      '**The shutdown of web-1 (101) is under way**: queue item 5003, started T ago by @alice (run R.1).',
      '[Restart web-1] [Cancel]',
    );
    expect(await world.bob.clicks('Confirm')).toShow(
      'ACCEPTED /power restart · web-1 (101, production)',
      "The restart of web-1 is in the panel's queue (item 5004), not done yet.",
      'Once it is done, this ends: /power shutdown by @alice T ago.',
    );
  });

  it('alice cuts the power of a lab server', async () => {
    expect(await world.alice.types('/power poweroff server:lab-1')).toShow(
      'QUESTION /power poweroff · lab-1 (201, lab)',
      'The power of lab-1 (201) will be cut.',
      'What is not on the disks yet is lost.',
      '[Power off lab-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'ACCEPTED /power poweroff · lab-1 (201, lab)',
      "The power-off of lab-1 is in the panel's queue (item 5005), not done yet.",
      '[Undo: boot lab-1]',
    );
    expect(world.panel.effects.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /servers/101/power/boot',
      'POST /servers/102/power/boot',
      'POST /servers/101/power/shutdown',
      'POST /servers/101/power/restart',
      'POST /servers/201/power/poweroff',
    ]);
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
