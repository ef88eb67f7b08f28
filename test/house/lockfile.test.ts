import { describe, expect, it } from 'vitest';
import { readRoot } from '../helpers/house.ts';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const lock: { packages: Record<string, Locked> } = JSON.parse(readRoot('package-lock.json'));
const locked = Object.entries(lock.packages)
  .filter(([path, { link }]) => path !== '' && link !== true)
  .map(([path, entry]) => ({ ...entry, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length) }));

/**
 * Builds for other platforms of which only the version is locked. To lock one whole: `npm view NAME@VERSION dist.integrity` into
 * package-lock.json, and take it off this list.
 */
const withoutIntegrity = [
  '@biomejs/cli-android-arm64',
  '@biomejs/cli-android-x64',
  '@biomejs/cli-darwin-arm64',
  '@biomejs/cli-darwin-x64',
  '@biomejs/cli-linux-arm64-musl',
  '@biomejs/cli-linux-x64-musl',
  '@biomejs/cli-win32-arm64',
  '@biomejs/cli-win32-x64',
  '@msgpackr-extract/msgpackr-extract-darwin-arm64',
  '@msgpackr-extract/msgpackr-extract-darwin-x64',
  '@msgpackr-extract/msgpackr-extract-linux-arm',
  '@msgpackr-extract/msgpackr-extract-win32-x64',
  '@napi-rs/canvas-android-arm64',
  '@napi-rs/canvas-darwin-arm64',
  '@napi-rs/canvas-darwin-x64',
  '@napi-rs/canvas-linux-arm-gnueabihf',
  '@napi-rs/canvas-linux-arm64-musl',
  '@napi-rs/canvas-linux-riscv64-gnu',
  '@napi-rs/canvas-linux-x64-musl',
  '@napi-rs/canvas-win32-arm64-msvc',
  '@napi-rs/canvas-win32-x64-msvc',
  '@oxc-parser/binding-android-arm-eabi',
  '@oxc-parser/binding-android-arm64',
  '@oxc-parser/binding-darwin-arm64',
  '@oxc-parser/binding-darwin-x64',
  '@oxc-parser/binding-freebsd-x64',
  '@oxc-parser/binding-linux-arm-gnueabihf',
  '@oxc-parser/binding-linux-arm-musleabihf',
  '@oxc-parser/binding-linux-ppc64-gnu',
  '@oxc-parser/binding-linux-riscv64-gnu',
  '@oxc-parser/binding-linux-riscv64-musl',
  '@oxc-parser/binding-linux-s390x-gnu',
  '@oxc-parser/binding-openharmony-arm64',
  '@oxc-parser/binding-win32-arm64-msvc',
  '@oxc-parser/binding-win32-ia32-msvc',
  '@oxc-parser/binding-win32-x64-msvc',
];

describe('package-lock.json', () => {
  it('locks what each package contains, and not only its version', () => {
    const whole = /^sha512-[A-Za-z0-9+/]{86}==$/;
    expect(locked.length).toBeGreaterThan(200);
    expect(locked.filter(({ integrity = '' }) => !whole.test(integrity)).map(({ name }) => name)).toEqual(
      withoutIntegrity,
    );
  });

  it('takes packages from the public registry and from nowhere else', () => {
    const elsewhere = ({ resolved = 'https://registry.npmjs.org/' }: Locked): boolean =>
      !resolved.startsWith('https://registry.npmjs.org/');
    expect(locked.filter(elsewhere).map(({ name }) => name)).toEqual([]);
  });
});
