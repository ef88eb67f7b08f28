import { describe, expect, it } from 'vitest';
import type { Entry, NewEntry } from '../../src/runs/entry.ts';
import { createLifecycle, differenceOf, differencesSince } from '../../src/trail/lifecycle.ts';
import { quietLog } from '../helpers/messages.ts';

const bot = { id: '1500000000000000001', name: 'panelops', roles: [] };

/** A ledger that takes nothing while it is full. */
function ledger() {
  const entries: Entry[] = [];
  const disk = { full: false };
  const append = (added: readonly NewEntry[]): Promise<Entry[]> => {
    if (disk.full) return Promise.reject(new Error('no space left'));
    const whole = added.map(
      (entry, at): Entry => ({ ...entry, seq: entries.length + at + 1, time: '', prev: '', hash: '' }),
    );
    entries.push(...whole);
    return Promise.resolve(whole);
  };
  return { disk, entries, parts: { append, entries: () => entries, refresh: () => Promise.resolve() } };
}

const lifeOn = (parts: ReturnType<typeof ledger>['parts']) =>
  createLifecycle({ ledger: parts, bot, processId: 'ab', facts: { panel: '1' }, log: quietLog });

describe('a change of the configuration', () => {
  it('that the ledger cannot take is recorded once it can, in its order', async () => {
    const { disk, entries, parts } = ledger();
    const life = lifeOn(parts);
    await life.begin();
    disk.full = true;
    await life.reconfigured({ changed: ['policy.roles'] });
    await life.reconfigured({ changed: [], problems: ['a rule'] });
    expect(entries.map(({ kind }) => kind)).toEqual(['started']);
    disk.full = false;
    await life.retry();
    await life.end();
    expect(entries).toMatchObject([
      { kind: 'started' },
      { kind: 'configured', owner: 'ab', changed: ['policy.roles'] },
      { kind: 'configured', owner: 'ab', problems: ['a rule'] },
      { kind: 'stopped' },
    ]);
  });

  it('waits for the start to be recorded', async () => {
    const { disk, entries, parts } = ledger();
    const life = lifeOn(parts);
    disk.full = true;
    expect(await life.begin()).toBe(false);
    await life.reconfigured({ changed: ['policy.roles'] });
    disk.full = false;
    await life.retry();
    expect(entries.map(({ kind }) => kind)).toEqual(['started', 'configured']);
  });

  it('never follows the stop, however late it is tried again', async () => {
    const { disk, entries, parts } = ledger();
    const life = lifeOn(parts);
    await life.begin();
    disk.full = true;
    await life.reconfigured({ changed: ['policy.roles'] });
    disk.full = false;
    const stopping = life.end();
    const again = life.retry();
    const later = life.reconfigured({ changed: ['panel'] });
    await Promise.all([stopping, again, later]);
    await life.retry();
    expect(entries.map(({ kind }) => kind)).toEqual(['started', 'configured', 'configured', 'stopped']);
    await life.reconfigured({ changed: ['policy.roles'] });
    expect(entries).toHaveLength(4);
  });

  it('is what the next start is held against, and one that was refused is not', async () => {
    const { entries, parts } = ledger();
    const life = lifeOn(parts);
    await life.begin();
    await life.reconfigured({ changed: ['panel'], facts: { panel: '2' } });
    await life.reconfigured({ changed: [], problems: ['a rule'] });
    expect(differencesSince(entries, { panel: '2' })).toEqual([]);
    expect(differencesSince(entries, { panel: '1' })).toEqual(['panel']);
  });
});

describe('the difference of two policies', () => {
  const role = (name: string, allow: string[]) => ({ role: '12', name, allow });

  it('is what is gone and what is new, by rows', () => {
    const before = { guild: '11', roles: [role('lead', ['*']), role('viewer', ['read'])], unlisted: 'nothing' };
    const after = { guild: '11', roles: [role('lead', ['*']), role('viewer', ['read', 'write'])], unlisted: 'read' };
    expect(differenceOf(before, after)).toEqual([
      '- roles { role: 12, name: viewer, allow: [read] }',
      '- unlisted nothing',
      '+ roles { role: 12, name: viewer, allow: [read, write] }',
      '+ unlisted read',
    ]);
    expect(differenceOf(before, before)).toEqual([]);
  });

  it('is cut where it would make the entry large', () => {
    const servers = Array.from({ length: 500 }, (_, id) => ({ id, name: 'x'.repeat(500) }));
    const lines = differenceOf({ servers }, { servers: [] });
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('480 more');
    expect(lines[0]).toHaveLength(160);
  });
});
