import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptOut, unusable } from '../../src/ledger/kept-out.ts';

let dir: string;
let owner: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'panelops-kept-out-'));
  owner = statSync(dir).uid;
});
afterEach(() => {
  chmodSync(dir, 0o700);
  rmSync(dir, { recursive: true });
});

// Windows has no such users.
describe.runIf(process.getuid !== undefined)(
  'Whoever is kept out of the folder learns by whom, and what to type:',
  () => {
    const run = (): string =>
      `belongs to another user (${owner}). Run this as the user of the bot. If that is this one`;
    const other = 4_711;

    it('the folder is of another user', () => {
      expect(keptOut({ code: 'EACCES', path: dir }, other)).toBe(
        `${dir} ${run()} (4711), then as root: chown -R 4711 ${dir}`,
      );
    });

    it('a file in it is, as after a restore by root', () => {
      const path = join(dir, 'ledger.jsonl');
      writeFileSync(path, '');
      expect(keptOut({ code: 'EACCES', path }, other)).toBe(
        `${path} ${run()} (4711), then as root: chown -R 4711 ${dir}`,
      );
    });

    it('it is still to be made, and nobody else is given what is above it', () => {
      const path = join(dir, "the bot's", 'data');
      expect(keptOut({ code: 'EACCES', path }, other)).toBe(
        `${dir} ${run()} (4711), then as root: install -d -m 700 -o 4711 '${dir}/the bot'\\''s/data'`,
      );
    });

    it('it is their own, without rights', () => {
      chmodSync(dir, 0o500);
      expect(keptOut({ code: 'EACCES', path: dir }, owner)).toBe(
        `Its owner has no right to ${dir}: chmod u+rwX ${dir}`,
      );
    });

    it('it is their own, with every right: then it is something else', () => {
      expect(keptOut({ code: 'EPERM', path: dir }, owner)).toBeUndefined();
    });

    it('and a full disk is nobody', () => {
      expect(keptOut({ code: 'ENOSPC', path: dir }, other)).toBeUndefined();
    });

    it('a folder that may be entered and written is of use, and so is one that can be made there', () => {
      expect(unusable(dir)).toBeUndefined();
      expect(unusable(join(dir, 'new', 'data'))).toBeUndefined();
    });

    it('a file is of no use, nor is what would have to be in it', () => {
      const path = join(dir, 'file');
      writeFileSync(path, '');
      expect(unusable(path)).toEqual({ code: 'ENOTDIR', path });
      expect(unusable(join(path, 'data'))).toEqual({ code: 'ENOTDIR', path: join(path, 'data') });
    });

    it('a link that leads nowhere is of no use', () => {
      const path = join(dir, 'link');
      symlinkSync(join(dir, 'none'), path);
      expect(unusable(path)).toEqual({ code: 'ENOENT', path });
    });

    // Root may do everything.
    it.runIf(process.getuid?.() !== 0)('one that may not be entered is of no use', () => {
      const path = join(dir, 'data');
      mkdirSync(path);
      chmodSync(dir, 0o600);
      expect(unusable(path)).toEqual({ code: 'EACCES', path });
    });
  },
);
