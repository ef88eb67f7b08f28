import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exposure } from '../../src/config.ts';

let top: string;
let dataDir: string;
let file: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'panelops-exposed-'));
  dataDir = join(top, 'data');
  file = join(top, 'etc', 'file');
  mkdirSync(dataDir, { mode: 0o700 });
  mkdirSync(dirname(file), { mode: 0o755 });
  writeFileSync(file, 'x\n', { mode: 0o600 });
});
afterEach(() => rmSync(top, { recursive: true }));

const uid = process.getuid?.();
const nothing = { problems: [], warnings: [] };
const everybody = (what: string, path: string, doing: string) => {
  const rule = `Everybody on this machine may write to ${path}, and so ${doing}.`;
  return { problems: [{ what, rule, where: `To end that: chmod go-w ${path}` }], warnings: [] };
};
const warned = (warning: string) => ({ problems: [], warnings: [warning] });

// Windows has no such modes.
describe.runIf(uid !== undefined)('on a machine with other users', () => {
  it('accepts what does not exist yet', () => {
    const gone = join(top, 'gone');
    expect(exposure({ dataDir: gone, envFile: gone, policyFile: gone, caFile: gone }, uid)).toEqual(nothing);
    expect(exposure({}, uid)).toEqual(nothing);
  });

  describe('DATA_DIR', () => {
    it('may be read by everybody', () => {
      chmodSync(dataDir, 0o755);
      expect(exposure({ dataDir }, uid)).toEqual(nothing);
    });

    it.each([0o777, 0o707, 0o1777])('is refused where everybody may write to it (%o)', (mode) => {
      chmodSync(dataDir, mode);
      expect(exposure({ dataDir }, uid)).toEqual(everybody('DATA_DIR', dataDir, 'change the ledger'));
    });

    it('is warned of where its group may write to it', () => {
      chmodSync(dataDir, 0o775);
      expect(exposure({ dataDir }, uid)).toEqual(
        warned(
          `DATA_DIR: the group of ${dataDir} may write to it, and so change the ledger. To end that: chmod go-w ${dataDir}`,
        ),
      );
    });

    it('is warned of where it belongs to somebody else', () => {
      const other = (uid ?? 0) + 1;
      expect(exposure({ dataDir }, other)).toEqual(
        warned(
          `DATA_DIR: ${dataDir} belongs to another user (${uid}), who may change the ledger. To end that: chown ${other} ${dataDir}`,
        ),
      );
    });

    it.runIf(uid === 0)('is warned of where root runs the bot on that of somebody else', () => {
      chownSync(dataDir, 12_345, 12_345);
      expect(exposure({ dataDir }, uid).warnings).toEqual([
        `DATA_DIR: ${dataDir} belongs to another user (12345), who may change the ledger. To end that: chown 0 ${dataDir}`,
      ]);
    });
  });

  describe.each([
    ['.env', () => ({ envFile: file }), 'the tokens are', 'choose the panel and the policy'],
    [
      'PANEL_TOKEN_FILE',
      () => ({ secretFiles: { PANEL_TOKEN_FILE: file } }),
      'a secret is',
      'put another secret there',
    ],
  ] as const)('a file with secrets: %s', (what, paths, within, power) => {
    it('is for its owner alone', () => {
      expect(exposure(paths(), uid)).toEqual(nothing);
    });

    it.each([
      [0o640, 'read'],
      [0o604, 'read'],
      [0o620, 'change'],
      [0o660, 'read and change'],
    ])('is warned of where others may touch it (%o)', (mode, verb) => {
      chmodSync(file, mode);
      expect(exposure(paths(), uid)).toEqual(
        warned(`${what}: other users may ${verb} ${file}, in which ${within}. To end that: chmod 600 ${file}`),
      );
    });

    it.each([0o602, 0o666])('is refused where everybody may write to it (%o)', (mode) => {
      chmodSync(file, mode);
      expect(exposure(paths(), uid).problems).toEqual(everybody(what, file, power).problems);
    });
  });

  it('a folder to which everybody may write is fine as long as no .env is in it', () => {
    chmodSync(top, 0o777);
    expect(exposure({ envFile: join(top, '.env') }, uid)).toEqual(nothing);
  });

  it('a secret that is not there yet is refused in a folder in which everybody may put one', () => {
    chmodSync(top, 0o777);
    const calendar = join(top, 'calendar.ics');
    expect(exposure({ secretFiles: { 'on-call': calendar } }, uid)).toEqual(
      everybody('on-call', top, 'put another file in its place'),
    );
  });

  it('accepts a secret of root that the bot reads through a group, as Kubernetes mounts it', () => {
    chmodSync(file, 0o440);
    expect(exposure({ secretFiles: { PANEL_TOKEN_FILE: file } }, 65_533)).toEqual(nothing);
    chmodSync(file, 0o444);
    expect(exposure({ secretFiles: { PANEL_TOKEN_FILE: file } }, 65_533).warnings).toHaveLength(1);
  });

  describe.each([
    ['POLICY_FILE', 'policyFile', 'give themselves every right'],
    ['PANEL_CA_FILE', 'caFile', "have the panel's token sent to them"],
  ] as const)('%s', (what, kind, power) => {
    it('may be read by everybody', () => {
      chmodSync(file, 0o644);
      expect(exposure({ [kind]: file }, uid)).toEqual(nothing);
    });

    it('is refused where everybody may write to it', () => {
      chmodSync(file, 0o646);
      expect(exposure({ [kind]: file }, uid)).toEqual(everybody(what, file, power));
    });

    it('is warned of where its group may write to it', () => {
      chmodSync(file, 0o664);
      expect(exposure({ [kind]: file }, uid)).toEqual(
        warned(`${what}: the group of ${file} may write to it, and so ${power}. To end that: chmod go-w ${file}`),
      );
    });
  });

  it.each([
    ['.env', (path: string) => ({ envFile: path })],
    ['PANEL_TOKEN_FILE', (path: string) => ({ secretFiles: { PANEL_TOKEN_FILE: path } })],
    ['POLICY_FILE', (path: string) => ({ policyFile: path })],
    ['PANEL_CA_FILE', (path: string) => ({ caFile: path })],
  ])(
    '%s is refused in a folder in which everybody may put another in its place, unless that is sticky',
    (what, paths) => {
      const folder = dirname(file);
      const link = join(top, 'link');
      symlinkSync(file, link);
      chmodSync(folder, 0o777);
      for (const path of [file, link])
        expect(exposure(paths(path), uid)).toEqual(everybody(what, folder, 'put another file in its place'));
      chmodSync(folder, 0o1777);
      expect(exposure(paths(file), uid)).toEqual(nothing);
    },
  );

  it('the command can be copied as it is, whatever the path', () => {
    const odd = join(top, "o'clock $HOME");
    mkdirSync(odd);
    chmodSync(odd, 0o777);
    const [problem] = exposure({ dataDir: odd }, uid).problems;
    expect(problem?.where).toBe(`To end that: chmod go-w '${top}/o'\\''clock $HOME'`);
  });
});

it('Where there are no users with numbers, as on Windows, nothing is said', () => {
  chmodSync(dataDir, 0o777);
  chmodSync(file, 0o666);
  expect(exposure({ dataDir, envFile: file }, undefined)).toEqual(nothing);
});
