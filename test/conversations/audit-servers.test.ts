import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { since } from '../helpers/every-command/deeds.ts';
import { threadsOf } from '../helpers/incidents/scene.ts';
import { fileOf, listed } from '../helpers/record/scene.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

describe('what is found', () => {
  let world: World;
  beforeAll(async () => {
    const auditor = '  - { role: "1200000000000000001", name: auditor, allow: [audit], servers: ["web-*"] }';
    world = await startWorld({
      still: true,
      policy: examplePolicy.replace(/ {2}- \{ role: "1200000000000000001".*/, auditor).replace('audit.history, ', ''),
    });
    const news = since(world);
    for (let i = 0; i < 10; i += 1) await world.bob.types('/power boot server:lab-1');
    await world.bob.types('/power boot server:web-1');
    await world.mallory.types('/firewall flush server:lab-2');
    // Ten denials, three steps of the boot, and one denial more.
    await news.recorded(14);
  });
  afterAll(() => world.stop());

  it("ends at the servers that are the asker's", async () => {
    const runs = listed(await world.carol.types('/audit history'));
    expect(runs).toEqual(['ACCEPTED /power boot']);
    expect(await world.carol.types('/audit history server:lab-1')).toContain('panelops: DENIED /audit history\n');
    const hidden = world.ledger().find(({ server }) => server?.id === 201)?.run ?? '';
    expect(await world.carol.types(`/audit run id:${hidden}`)).toContain(
      'there is no such run, or it is on a server that you may not see.',
    );
    expect(await world.alice.types(`/audit run id:${hidden}`)).toContain('DENIED');
    const typed = world.ledger().find(({ actor }) => actor.name === 'mallory')?.run ?? '';
    expect(await world.carol.types(`/audit run id:${typed}`)).toContain(
      'there is no such run, or it is on a server that you may not see.',
    );
    const suggested = await world.carol.chooses('/audit run id:', 'id');
    expect(suggested.map(({ name }) => name)).toEqual(['web-1 /power boot, just now, by bob: accepted']);
    expect((await world.alice.chooses('/audit run id:lab-1', 'id')).length).toBeGreaterThan(9);
    expect(await world.carol.types('/audit export')).toContain(
      'It leaves out entries of servers that you may not see.',
    );
    expect(fileOf(world, 'carol').text).not.toMatch(/lab-|"id":201/);
    expect(await world.alice.types('/audit export')).not.toContain('not yours');
    await world.alice.types('/incident start title:slow');
    await world.alice.types('/firewall show server:lab-1', threadsOf(world)[0]);
    // A read is answered before it is recorded.
    await expect
      .poll(() => [...world.app.entries()].some((entry) => 'step' in entry && entry.step === 'looked'))
      .toBe(true);
    const read = '**READ** `/firewall show` lab-1 (201) by @alice';
    expect(await world.alice.types('/audit history')).toContain(read);
    expect(await world.alice.types('/audit history command:firewall.show')).toContain(read);
    expect(await world.carol.types('/audit history')).not.toMatch(/READ|lab-1/);
  });

  it('names no server of others, of a command for several', async () => {
    const news = since(world);
    await world.alice.types('/firewall enable server:web-1,lab-1,web-2 reason:"hunting on all"');
    await news.recorded(6);
    const run = world.ledger().find(({ command }) => command === 'firewall.enable')?.run ?? '';
    const shown = await world.carol.types(`/audit run id:${run}`);
    expect(shown).toContain('Options: `server:web-1,web-2 interface:primary sync:true reason:"hunting on all"`.');
    expect(shown).not.toMatch(/,201|lab-/);

    for (const format of ['csv', 'md']) {
      const told = await world.carol.types(`/audit export format:${format} server:web-1`);
      const { text } = fileOf(world, 'carol');
      expect(told).toMatch(/\b\d+ entries name servers that are not yours beside one that is: those are left out/);
      expect(text).toContain('hunting on all');
      expect(text).not.toMatch(/,201\b|lab-/);
    }
    const told = await world.carol.types('/audit export format:jsonl');
    expect(told).toMatch(/\b\d+ entries name servers that are not yours .* left out. As csv or md they are shown/);
    const lines = fileOf(world, 'carol').text;
    expect(lines).toContain('power.boot');
    expect(lines).not.toMatch(/hunting|,201|lab-/);
    const whole = await world.alice.types('/audit export format:jsonl');
    expect(whole).not.toContain('not yours');
    expect(fileOf(world, 'alice').text).toContain('"server":"101,201,102"');
  });
});
