import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startWorld, type World } from '../world.ts';

describe('on a platform without the native canvas', () => {
  let world: World;
  beforeAll(async () => {
    // The canvas itself then looks there, and finds nothing.
    vi.stubEnv('NAPI_RS_NATIVE_LIBRARY_PATH', '/nowhere/skia.node');
    world = await startWorld();
  });
  afterAll(async () => {
    await world.stop();
    vi.unstubAllEnvs();
  });

  it('the card is complete without its picture, and the log says so once', async () => {
    const first = await world.alice.types('/hypervisors resources group:1');
    expect(first).toContain('panelops: SUCCEEDED /hypervisors resources · group 1');
    expect(first).toContain('mem ██░░░ 98304/262144 MB 38%');
    expect(first).not.toContain('📎');
    const next = await world.alice.clicks('Next');
    expect(next).toContain('Showing 6–7 of 7 hypervisors.');
    expect(next).not.toContain('📎');
    expect(world.logged().match(/no pictures: the canvas could not be loaded/g)).toHaveLength(1);
  });
});
