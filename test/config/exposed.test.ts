import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exposure } from '../../src/config.ts';

let top: string;
let dataDir: string;
let envFile: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'panelops-exposed-'));
  dataDir = join(top, 'data');
  envFile = join(top, '.env');
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(envFile, 'PANEL_TOKEN=x\n', { mode: 0o600 });
});
afterEach(() => rmSync(top, { recursive: true }));

const uid = process.getuid?.();
const nothing = { problems: [], warnings: [] };
const everybody = (what: string, path: string, doing: string) => ({
  problems: [
    {
      what,
      rule: `Everybody on this machine may write to ${path}, and so ${doing}.`,
      where: `To end that: chmod go-w ${path}`,
    },
  ],
  warnings: [],
});
const replaced = 'put another file in its place';
const warned = (...warnings: string[]) => ({ problems: [], warnings });

// Windows has no such modes.
describe.runIf(uid !== undefined)('on a machine with other users', () => {
  it('accepts what only its owner may write, and what does not exist yet', () => {
    expect(exposure({ dataDir, envFile }, uid)).toEqual(nothing);
    chmodSync(dataDir, 0o755);
    expect(exposure({ dataDir, envFile }, uid)).toEqual(nothing);
    expect(exposure({ dataDir: join(top, 'gone'), envFile: join(top, 'gone') }, uid)).toEqual(nothing);
    expect(exposure({}, uid)).toEqual(nothing);
  });

  it.each([0o777, 0o707, 0o1777])('a folder to which everybody may write is refused (%o)', (mode) => {
    chmodSync(dataDir, mode);
    expect(exposure({ dataDir, envFile }, uid)).toEqual(everybody('DATA_DIR', dataDir, 'change the ledger'));
  });

  it('a folder to which its group may write is warned of', () => {
    chmodSync(dataDir, 0o775);
    expect(exposure({ dataDir, envFile }, uid)).toEqual(
      warned(
        `DATA_DIR: the group of ${dataDir} may write to it, and so change the ledger. To end that: chmod go-w ${dataDir}`,
      ),
    );
  });

  it('a folder of somebody else is warned of', () => {
    expect(exposure({ dataDir, envFile }, (uid ?? 0) + 1)).toEqual(
      warned(
        `DATA_DIR: ${dataDir} belongs to another user (${uid}), who may change the ledger. To end that: chown ${(uid ?? 0) + 1} ${dataDir}`,
      ),
    );
  });

  it.runIf(uid === 0)('root, who runs the bot on a folder of somebody else, is warned, too', () => {
    chownSync(dataDir, 12_345, 12_345);
    expect(exposure({ dataDir, envFile }, uid).warnings).toEqual([
      `DATA_DIR: ${dataDir} belongs to another user (12345), who may change the ledger. To end that: chown 0 ${dataDir}`,
    ]);
  });

  it.each([
    [0o644, 'read'],
    [0o640, 'read'],
    [0o604, 'read'],
    [0o620, 'change'],
    [0o660, 'read and change'],
  ])('a file .env that others may touch is warned of (%o)', (mode, verb) => {
    chmodSync(envFile, mode);
    expect(exposure({ dataDir, envFile }, uid)).toEqual(
      warned(`.env: other users may ${verb} ${envFile}, in which the tokens are. To end that: chmod 600 ${envFile}`),
    );
  });

  it.each([
    [0o604, 'read'],
    [0o640, 'read'],
    [0o660, 'read and change'],
  ])('a file of a secret that others may touch is warned of (%o)', (mode, verb) => {
    const file = join(top, 'token');
    writeFileSync(file, 'x', { mode: 0o600 });
    expect(exposure({ secretFiles: { PANEL_TOKEN_FILE: file } }, uid)).toEqual(nothing);
    chmodSync(file, mode);
    expect(exposure({ secretFiles: { PANEL_TOKEN_FILE: file } }, uid)).toEqual(
      warned(`PANEL_TOKEN_FILE: other users may ${verb} ${file}, in which a secret is. To end that: chmod 600 ${file}`),
    );
  });

  describe.each([
    ['.env', (file: string) => ({ envFile: file }), 'choose the panel and the policy'],
    ['PANEL_TOKEN_FILE', (file: string) => ({ secretFiles: { PANEL_TOKEN_FILE: file } }), 'put another secret there'],
  ])('a file with secrets: %s', (what, paths, power) => {
    it.each([0o602, 0o622, 0o666])('is refused where everybody may write to it (%o)', (mode) => {
      chmodSync(envFile, mode);
      expect(exposure(paths(envFile), uid).problems).toEqual(everybody(what, envFile, power).problems);
    });

    it('is refused in a folder in which everybody may put another file in its place, unless that is sticky', () => {
      chmodSync(top, 0o777);
      expect(exposure(paths(envFile), uid)).toEqual(everybody(what, top, replaced));
      chmodSync(top, 0o1777);
      expect(exposure(paths(envFile), uid)).toEqual(nothing);
    });
  });

  it('a folder to which everybody may write is fine as long as no .env is in it', () => {
    rmSync(envFile);
    chmodSync(top, 0o777);
    expect(exposure({ envFile }, uid)).toEqual(nothing);
  });

  it('accepts a secret of root that the bot reads through a group, as Kubernetes mounts it', () => {
    const file = join(top, 'token');
    writeFileSync(file, 'x');
    chmodSync(file, 0o440);
    expect(exposure({ secretFiles: { PANEL_TOKEN_FILE: file } }, 65_533)).toEqual(nothing);
    chmodSync(file, 0o444);
    expect(exposure({ secretFiles: { PANEL_TOKEN_FILE: file } }, 65_533).warnings).toHaveLength(1);
  });

  describe.each([
    ['POLICY_FILE', 'policyFile', 'give themselves every right'],
    ['PANEL_CA_FILE', 'caFile', "have the panel's token sent to them"],
  ] as const)('%s', (what, kind, power) => {
    let etc: string;
    let file: string;
    beforeEach(() => {
      etc = join(top, 'etc');
      file = join(etc, 'file');
      mkdirSync(etc, { mode: 0o755 });
      writeFileSync(file, '', { mode: 0o644 });
    });
    it('may be read by everybody', () => {
      expect(exposure({ [kind]: file }, uid)).toEqual(nothing);
      expect(exposure({ [kind]: join(etc, 'gone') }, uid)).toEqual(nothing);
    });

    it.each([0o666, 0o646])('is refused where everybody may write to it (%o)', (mode) => {
      chmodSync(file, mode);
      expect(exposure({ [kind]: file }, uid)).toEqual(everybody(what, file, power));
    });

    it('is warned of where its group may write to it', () => {
      chmodSync(file, 0o664);
      expect(exposure({ [kind]: file }, uid)).toEqual(
        warned(`${what}: the group of ${file} may write to it, and so ${power}. To end that: chmod go-w ${file}`),
      );
    });

    it('is refused in a folder in which everybody may put another file in its place', () => {
      chmodSync(etc, 0o777);
      expect(exposure({ [kind]: file }, uid)).toEqual(everybody(what, etc, replaced));
      const link = join(top, 'link');
      symlinkSync(file, link);
      expect(exposure({ [kind]: link }, uid)).toEqual(everybody(what, etc, replaced));
    });

    it('is fine in a folder such as /tmp, in which only the owner of a file may do that', () => {
      chmodSync(etc, 0o1777);
      expect(exposure({ [kind]: file }, uid)).toEqual(nothing);
    });
  });

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
  chmodSync(envFile, 0o666);
  expect(exposure({ dataDir, envFile }, undefined)).toEqual(nothing);
});
