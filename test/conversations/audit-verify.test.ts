import { describe, expect, it } from 'vitest';
import { steady } from '../helpers/record/scene.ts';
import { worldForAll } from '../helpers/world.ts';

/** Without how many there are. */
const uncounted = (text: string): string =>
  steady(text)
    .replaceAll(/\b\d+ messages?/g, 'N messages')
    .replaceAll(/entr(?:y \d+|ies \d+ to \d+)/g, 'entries N');

describe('/audit verify', () => {
  const world = worldForAll({ still: true, audit: true, intervals: { trail: { between: 10, look: 20 } } });

  /** Waits until what was recorded last is in #audit. */
  const posted = (): Promise<string> => {
    const seq = world.entries().at(-1)?.seq;
    return world.discord.until(
      () => world.discord.messages('alice', 'audit').find(({ content }) => content.includes(`#${seq} · `))?.id,
    );
  };

  it('finds ledger and channel whole', async () => {
    await world.bob.types('/power boot server:web-1');
    await posted();
    expect(uncounted(await world.alice.types('/audit verify'))).toShow(
      'Check of ledger and trail',
      'The ledger is whole: N entries, head `RUN`.',
      'N messages of the audit channel were compared: the trail is as it was posted.',
      '(only alice sees this)',
    );
  });

  it('names the lines that somebody deleted, and where it may stand who did', async () => {
    await world.bob.types('/power boot server:web-2');
    const middle = await posted();
    await world.bob.types('/power boot server:web-3');
    const last = await posted();
    expect(last).not.toBe(middle);
    world.discord.deleteMessage('alice', middle);
    await world.discord.until(() => world.discord.view('alice', 'audit').includes('TRAIL CHANGED deleted'));
    const card = await world.alice.types('/audit verify');
    expect(uncounted(card)).toShow(
      'FAILED /audit verify',
      'The ledger is whole: N entries, head `RUN`.',
      'N messages of the audit channel were compared: nothing new was found.',
      '**1 finding not acknowledged.** Look into it: Server Settings, Audit Log may say who did it. Then type /audit acknowledge.',
      '**OPEN** Finding N: entries N: deleted from the channel, noticed T ago. The ledger still has them.',
      'Before anything else, leave the ledger and the channel as they are, and copy both.',
      '(only alice sees this)',
    );
  });
});
