import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../world.ts';

describe('a firewall at 3 a.m.', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  it('alice flushes it: asked first, then done', async () => {
    expect(await world.alice.types('/firewall flush server:web-1 reason:"locked out"')).toMatchInlineSnapshot(`
      "alice used /firewall flush
      panelops: QUESTION /firewall flush · web-1 (101, production) (edited)
        │ All firewall rules of web-1 (101), primary interface, will be removed. 4 rules are set now. The firewall is enabled.
        │ It is applied to the running server at once.
        │ Not touched: the secondary interface, and every other server.
        │ Reason: \`locked out\`
        │ By @alice.
        │ Nothing is sent until @alice confirms. Runs out in 2 minutes.
        │ run R
        [Confirm] [Cancel]"
    `);
    expect(await world.alice.clicks('Confirm')).toMatchInlineSnapshot(`
      "alice used /firewall flush
      panelops: SUCCEEDED /firewall flush · web-1 (101, production) (edited)
        │ All rules were removed.
        │ Reason: \`locked out\`
        │ By @alice.
        │ run R"
    `);
    expect(world.panel.effects.map(({ number, serverId }) => [number, serverId])).toEqual([[8, 101]]);
  });
});
