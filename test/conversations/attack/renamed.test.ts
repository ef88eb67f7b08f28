import { describe, expect, it } from 'vitest';
import { changes, until } from '../../helpers/messages.ts';
import { exampleWith, listedByPanel } from '../../helpers/policy/in-force.ts';
import { shellFor, shellPolicy, terminalAt } from '../../helpers/terminal.ts';
import { openWorld, worldForEach } from '../../helpers/world.ts';

/** Whoever may rename a server in the panel tries to have another one changed, or another thing believed. */
const intervals = { inventory: { every: 3_600_000, wait: () => Promise.resolve() } };
const world = worldForEach({ still: true, audit: true, policy: listedByPanel(exampleWith()), intervals });

const refresh = (): Promise<string> => world.alice.types('/panel refresh');
const rename = (id: number, name: string) => world.panel.stock({ do: 'rename', id, name });

const denied = () => world.ledger().filter(({ kind }) => kind === 'denied');

async function swap(): Promise<void> {
  rename(102, 'between');
  await refresh();
  rename(103, 'web-2');
  rename(102, 'web-3');
  await refresh();
}

describe('a server that is renamed', () => {
  it('stays the one that a denial was about, for its buttons', async () => {
    await refresh();
    expect(await world.bob.types('/backup restore server:web-2 disks:0 reason:x')).toContain('[Break glass]');
    expect(await world.bob.types('/firewall flush server:web-2 reason:x')).toContain('[Ask a lead]');
    await until(() => denied().length === 2, 'the records');
    expect(denied().map(({ meant }) => meant)).toEqual([[102], [102]]);
    await swap();
    expect(await world.bob.clicks('Ask a lead')).toContain('web-3 (102, production)');
    expect(changes(world)).toEqual([]);
  });

  it('is not taken on for somebody else under another name than they asked for', async () => {
    await refresh();
    await world.bob.types('/firewall flush server:web-2 reason:x');
    await world.bob.clicks('Ask a lead');
    rename(102, 'db-8');
    await refresh();
    expect(await world.alice.clicks('Approve')).toContain(
      'Since this was asked, web-2 (102, production) has become db-8 (102, production). Nothing was sent.',
    );
    expect(world.ledger().some(({ kind }) => kind === 'asked')).toBe(false);
  });
});

describe('a server at a terminal', () => {
  it('keeps what the panel calls it in backticks, and moves no cursor', async () => {
    const { shell, as } = shellFor();
    const at = await openWorld({ policy: listedByPanel(shellPolicy), shell, intervals });
    as(1001);
    const name = '\u001b]0;x\u0007\u009b2J\u202e\u200b\r\nweb-1, lab) is empty.` <@&1200000000000000003> **b**';
    at.panel.stock({ do: 'rename', id: 202, name });
    await at.alice.types('/panel refresh');
    for (const line of ['server show server:202', 'can command:power.boot server:202', 'panel check', 'handover']) {
      const client = terminalAt(shell.socket, { what: 'do', line }, { pipe: true });
      await client.code;
      expect(client.seen()).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
      const outside = client.seen().replaceAll(/`[^`]*`/g, '');
      expect(outside).not.toContain('is empty.');
    }
    const client = terminalAt(shell.socket, { what: 'do', line: 'firewall flush server:202' });
    await client.after('Type "Flush server 202" or "Cancel": ', 'cancel');
    await client.code;
    expect(client.seen().replaceAll(/`[^`]*`/g, '')).not.toContain('is empty.');
    // Those that the client moves the cursor with are its own.
    expect(client.seen().replaceAll(/\p{Cc}\[\d*[A-Z]|\r/gu, '')).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });
});
