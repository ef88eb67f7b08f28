import { describe, expect, it } from 'vitest';
import { does, since, stepsWhenDone, typedName } from '../../helpers/every-command/deeds.ts';
import { changings } from '../../helpers/every-command/lines.ts';
import { sharedWorld } from '../../helpers/every-command/meets.ts';
import type { Changing } from '../../helpers/every-command/row.ts';

/** The commands that take several servers. */
const several = changings
  .filter(([, row]) => row.several)
  .map(([id, row]): [string, Changing] => {
    const line = row.line.replace('web-1', 'web-1,web-2,web-3').replace(' interface:secondary', '');
    return [id, { ...row, line }];
  });

const world = sharedWorld();
const serversOf = (requests: { path: string }[]): string[] =>
  requests.map(({ path }) => /^\/servers\/(\d+)\//.exec(path)?.[1] ?? path);

describe.each(several)('%s of three servers', (id, row) => {
  const outcome = row.outcome.toUpperCase();

  it('is one card with a line each', async () => {
    const news = since(world);
    const card = await does(world.alice, row);
    expect(card).toContain(`panelops: ${outcome} ${typedName(id)} · 3 servers`);
    expect(card).toMatch(new RegExp(`3 servers[^:]*: 3 ${row.outcome}.`));
    for (const server of ['web-1 (101)', 'web-2 (102)', 'web-3 (103)'])
      expect(card).toContain(`**${outcome}** ${server}:`);
    expect(serversOf(news.changing())).toEqual(['101', '102', '103']);
    expect(news.effects().map(({ serverId }) => serverId)).toEqual([101, 102, 103]);
    const written = news.entries().filter(({ kind }) => kind !== 'asked' && kind !== 'confirmed');
    expect(written.map(({ kind, server }) => `${kind} ${server?.id}`)).toEqual(
      [101, 102, 103].flatMap((server) => stepsWhenDone({ ...row, asks: 'no' }).map((kind) => `${kind} ${server}`)),
    );
  });

  it('stops at the first unknown, and Ask again concerns only what was left alone', async () => {
    const news = since(world);
    world.panel.order({ kind: 'reset-after', match: { changes: true, path: '/servers/102/' } });
    const card = await does(world.alice, row);

    expect(card).toContain(`panelops: UNKNOWN ${typedName(id)} · 3 servers`);
    expect(card).toMatch(new RegExp(`3 servers[^:]*: 1 ${row.outcome}, 1 unknown and 1 not-sent.`));
    expect(card).toContain(`**${outcome}** web-1 (101):`);
    expect(card).toMatch(/\*\*UNKNOWN\*\* web-2 \(102\):.* The connection broke before the answer\./);
    expect(card).toMatch(/\*\*NOT-SENT\*\* web-3 \(103\):.* an earlier server of this command ended/i);
    expect(card).toContain('[Ask again]');
    expect(serversOf(news.changing())).toEqual(['101', '102']);
    const ends = news.entries().filter(({ kind }) => kind === 'outcome');
    expect(ends).toMatchObject([
      { outcome: row.outcome, server: { id: 101 } },
      { outcome: 'unknown', reason: 'connection-lost', server: { id: 102 } },
      { outcome: 'not-sent', reason: 'earlier-unknown', server: { id: 103 } },
    ]);
    expect(new Set(ends.map(({ run }) => run)).size).toBe(3);

    const again = since(world);
    const next = await world.alice.clicks('Ask again');
    const last = row.asks === 'no' ? next : await world.alice.clicks('Confirm');
    if (row.asks !== 'no') expect(next).toContain(`QUESTION ${typedName(id)} · web-3 (103, staging)`);
    expect(last).toContain(`panelops: ${outcome} ${typedName(id)} · web-3 (103, staging)`);
    expect(serversOf(again.changing())).toEqual(['103']);
    expect(again.effects().map(({ serverId }) => serverId)).toEqual([103]);
  });

  it('goes on after a rejected one', async () => {
    const news = since(world);
    const body = { errors: ['Tasks are pending.'] };
    world.panel.order({ kind: 'status-before', status: 423, body, match: { changes: true, path: '/servers/101/' } });
    const card = await does(world.alice, row);
    expect(card).toContain(`panelops: REJECTED ${typedName(id)} · 3 servers`);
    expect(card).toMatch(new RegExp(`3 servers[^:]*: 1 rejected and 2 ${row.outcome}.`));
    expect(card).toMatch(/\*\*REJECTED\*\* web-1 \(101\):.*\(423\)[\s\S]*\[Ask again\]/);
    expect(serversOf(news.changing())).toEqual(['101', '102', '103']);
    expect(news.effects().map(({ serverId }) => serverId)).toEqual([102, 103]);
  });
});

it('these commands, and no others, take several servers', async () => {
  const news = since(world);
  for (const [id, row] of changings) {
    const card = await world.alice.types(row.line.replace('web-1', 'web-1,web-2'));
    if (row.several) expect(card).toContain(`${typedName(id)} · 2 servers`);
    else expect(card).toContain(`panelops: INVALID ${typedName(id)}`);
    if (row.several && row.asks !== 'no') await world.alice.clicks('Cancel');
  }
  const unasked = several.filter(([, { asks }]) => asks === 'no');
  expect(news.changing()).toHaveLength(2 * unasked.length);
});

it('what is looked at before a change does not use up the reads of who asks', async () => {
  for (let count = 0; count < 20; count += 1) await world.alice.types('/traffic show server:web-1');
  expect(await world.alice.types('/traffic show server:web-1')).toContain('panelops: NOT-SENT /traffic show');
  const news = since(world);
  const line = '/firewall disable server:101,102,103,111,112,121,131,141,151,161';
  expect(await does(world.alice, { line, asks: 'button' })).toContain(' 10 servers: 10 succeeded.');
  expect(news.effects()).toHaveLength(10);
});
