import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerTo, changes, messageOf, stateOf } from '../../helpers/messages.ts';
import { chainIn, stageForAll } from '../../helpers/stage.ts';

/** On another machine nobody sees the kernel's lock. */
function asFromElsewhere(dir: string): void {
  const lock = join(dir, readdirSync(dir).find((name) => /^lock-\d+$/.test(name)) ?? '');
  writeFileSync(lock, JSON.stringify({ ...JSON.parse(readFileSync(lock, 'utf8')), kernel: false }));
}

describe('a bot that is frozen until another has its folder', () => {
  const stage = stageForAll();

  it('ends when it wakes, saying why, and does nothing of what it heard meanwhile', async () => {
    const first = await stage.start();
    await answerTo(stage, await stage.discord.type('alice', 'ops', '/power boot server:web-1'), ['ACCEPTED']);
    first.child.kill('SIGSTOP');
    asFromElsewhere(stage.dir);

    const second = await stage.start();
    const before = stage.ledger().length;
    // Discord tells both of it.
    const id = await stage.discord.type('alice', 'ops', '/power boot server:web-2');
    const card = await answerTo(stage, id, ['ACCEPTED']);
    first.child.kill('SIGCONT');
    expect(await first.exit).toEqual({ code: 1, signal: null });
    expect(first.stderr()).toContain(
      `process ${second.pid} has taken the ledger in ${stage.dir}: this process missed its heartbeats and counted as dead. It records nothing more and stops.`,
    );

    await answerTo(stage, await stage.discord.type('alice', 'ops', '/power boot server:web-3'), ['ACCEPTED']);
    expect(chainIn(stage.dir)).toBe(true);
    const since = stage.ledger().slice(before);
    expect(since.filter(({ kind }) => kind === 'intent').map(({ server }) => server?.name)).toEqual(['web-2', 'web-3']);
    expect(new Set(since.flatMap(({ owner }) => owner ?? [])).size).toBe(1);
    expect(changes(stage)).toHaveLength(3);
    expect(['ACCEPTED', 'FINISHED']).toContain(stateOf(messageOf(stage, card.id)));
    await second.end('SIGTERM');
  });
});
