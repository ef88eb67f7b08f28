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

describe('package-lock.json', () => {
  // If npm leaves one out, as for a build for another platform: npm view NAME@VERSION dist.integrity
  it('locks what each package contains, and not only its version', () => {
    const whole = /^sha512-[A-Za-z0-9+/]{86}==$/;
    expect(locked.length).toBeGreaterThan(200);
    expect(locked.filter(({ integrity = '' }) => !whole.test(integrity)).map(({ name }) => name)).toEqual([]);
  });

  it('takes packages from the public registry and from nowhere else', () => {
    const elsewhere = ({ resolved = 'https://registry.npmjs.org/' }: Locked): boolean =>
      !resolved.startsWith('https://registry.npmjs.org/');
    expect(locked.filter(elsewhere).map(({ name }) => name)).toEqual([]);
  });
});
