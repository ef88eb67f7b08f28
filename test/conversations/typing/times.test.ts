import { describe, expect, it } from 'vitest';
import { examplePolicy, worldForAll } from '../../helpers/world.ts';

const berlin = examplePolicy.replace('timezone: UTC', 'timezone: Europe/Berlin');

/** The last time that clocks in Berlin showed 22:00, in Unix seconds. */
function lastTen(): number {
  const hourThere = (ms: number): string =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' }).format(ms);
  let at = Math.floor(Date.now() / 60_000) * 60_000;
  while (hourThere(at) !== '22:00') at -= 60_000;
  return at / 1000;
}

describe('times, as the team types them', () => {
  const world = worldForAll({ still: true, policy: berlin });

  const lastBody = (): unknown => JSON.parse(JSON.stringify(world.panel.requests.at(-1)?.body ?? null));
  const lastCard = (): string => world.discord.messages('alice', 'ops').at(-1)?.embeds[0]?.description ?? '';

  it('a restore to 22:00 goes to the last 22:00 of the team; the card shows it, the panel gets Unix seconds', async () => {
    const at = lastTen();
    await world.alice.types('/backup restore server:web-1 disks:0 until:0=22:00 reason:"lost update"');
    expect(lastCard()).toContain(`, 22:00 (Europe/Berlin) (<t:${at}:f> for you, <t:${at}:R>).`);
    expect(lastCard()).toMatch(/Disk 0: \d+ \w+ \d{4}, 22:00/);
    await world.alice.clicks('Confirm');
    await world.alice.fills('web-1');
    expect(lastBody()).toMatchObject({ disks: ['0'], diskUntils: { 0: at } });
  });

  it('a reminder at a clock says so in the question, and is due then, however late it is confirmed', async () => {
    await world.alice.types('/firewall disable server:web-1 remind:22:00');
    const due = lastTen() + 24 * 3600;
    expect(
      [due - 3600, due, due + 3600].some((at) => lastCard().includes(`22:00 (Europe/Berlin) (<t:${at}:f> for you`)),
    ).toBe(true);
    world.timePasses(60_000);
    await world.alice.clicks('Confirm');
    const [said = ''] = world.ledger().flatMap(({ remind }) => remind ?? []);
    expect(new Date(said).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' })).toBe('22:00:00');
  });
});
