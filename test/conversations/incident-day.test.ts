import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileIn, newest, says, threadsOf } from '../helpers/incidents/scene.ts';
import { startWorld, type World } from '../helpers/world.ts';

describe('an incident, from its start to what the next shift gets', () => {
  let world: World;
  let thread = '';
  const trail = (): string => world.bob.sees('audit');
  beforeAll(async () => {
    world = await startWorld({ audit: true, still: true });
  });
  afterAll(() => world.stop());

  it('is in the trail with what is done for it', async () => {
    await world.alice.types('/incident start title:"web-1 lost its disk"');
    [thread = ''] = threadsOf(world);
    await world.alice.types('/backup restore server:web-1 disks:0 reason:"disk is gone"', thread);
    await world.alice.clicks('Confirm');
    expect(await world.alice.fills('web-1')).toContain('panelops: ACCEPTED /backup restore');
    expect(await world.mallory.types('/power poweroff server:web-1', thread)).toContain('panelops: DENIED');
    await world.bob.picks('Add to incident timeline', await says(world, 'carol', thread, 'customers are told'));
    await world.discord.until(() => /INCIDENT.*\/backup restore.*DENIED.*INCIDENT/s.test(trail()));
  });

  it('shows that somebody deletes a message of the trail', async () => {
    const [message] = world.discord.messages('alice', 'audit').filter(({ author }) => author === 'panelops');
    world.discord.deleteMessage('alice', message?.id ?? '');
    await world.discord.until(() => /TRAIL CHANGED deleted/.test(trail()));
  });

  it('is handed over and ended with its timeline', async () => {
    expect(await world.bob.types('/handover', thread)).toContain('Open: 1 incident and 1 restore running.');
    expect(await world.bob.types('/incident end', thread)).toContain('panelops: SUCCEEDED /incident end');
    const file = fileIn(world, thread);
    expect(file).toMatch(/`\/backup restore`.*\*\*accepted\*\*/s);
    expect(file).toMatch(/`mallory` `\/power poweroff`.*\*\*denied\*\*/s);
    expect(file).toContain('> `customers are told`');
  });

  it('is exported by itself', async () => {
    expect(await world.alice.types(`/audit export incident:${thread} format:md`)).toContain(
      'panelops: Export of the ledger',
    );
    const [file] = newest(world, 'alice', 'ops').files;
    const text = new TextDecoder().decode(file?.bytes);
    expect(text).toContain('web-1 lost its disk');
    expect(text).toContain('customers are told');
    expect(text).not.toContain('deleted');
  });

  it('leaves a ledger that is whole, and says what of the trail was deleted', async () => {
    const card = await world.alice.types('/audit verify');
    expect(card).toContain('The ledger is whole');
    expect(card).toContain('FAILED /audit verify');
    expect(card).toMatch(/\*\*OPEN\*\* .*: deleted from the channel, noticed /);
  });
});
