import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDiscord } from '../../../src/sandbox/discord/index.ts';
import { folder } from '../../helpers/ledger/samples.ts';

test("the state of an earlier sandbox opens, without the audit log that Discord's sandbox had then", async () => {
  const path = join(folder(), 'discord.jsonl');
  const deletion = { userId: '1400000000000000001', targetId: '1000000000000000001', action: 72, count: 2, at: 1 };
  const lines = [
    [['newest', '', '1500000000000000002']],
    [['audit', '1500000000000000001', { ...deletion, id: '1500000000000000001', channelId: '1300000000000000002' }]],
    [
      ['roles', '1400000000000000002', ['1200000000000000003']],
      ['audit', '1500000000000000002'],
    ],
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const discord = await startDiscord({ kept: { path, onTrouble: (problem) => expect.fail(problem) } });
  try {
    expect(BigInt(await discord.type('bob', 'ops', 'still here'))).toBeGreaterThan(1_500_000_000_000_000_002n);
    expect(readFileSync(path, 'utf8')).toContain('["roles","1400000000000000002",["1200000000000000003"]]');
    expect(readFileSync(path, 'utf8')).not.toContain('"audit"');
  } finally {
    await discord.close();
  }
});
