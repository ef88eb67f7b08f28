import { closeSync, existsSync, openSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** The kernel's lock on an open file. It ends with the process that has it, however that ends. */
export interface KernelLock {
  /** False: another process has it. */
  take(fd: number): boolean;
  isTaken(path: string): boolean;
}

/**
 * File systems that one kernel has for itself, by their number in statfs(2): ext, xfs, btrfs, zfs, f2fs, bcachefs, tmpfs,
 * overlay, FAT, exFAT, NTFS. On any other, a process on another machine may not see the lock.
 */
const local: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x01021994, 0x794c7630, 0x4d44, 0x2011bab0,
  0x7366746e,
]);

/** Undefined where the kernel's locks do not say who lives: on other file systems, platforms and processors. */
export async function kernelLockIn(dir: string): Promise<KernelLock | undefined> {
  if (process.platform !== 'linux' || !local.has((await statfs(dir)).type)) return undefined;
  // A native module: there is one for most processors.
  const native = await import('fs-native-extensions').catch(() => undefined);
  if (native === undefined) return undefined;
  const { tryLock } = native.default;
  const isTaken = (path: string): boolean => {
    // Whoever made it may remove it right now.
    if (!existsSync(path)) return false;
    const fd = openSync(path, 'r');
    try {
      // Shared, so that two that look at once do not see each other.
      return !tryLock(fd, { shared: true });
    } finally {
      closeSync(fd);
    }
  };
  try {
    isTaken(dir);
  } catch {
    // Not every kernel has them.
    return undefined;
  }
  return { take: (fd) => tryLock(fd), isTaken };
}
