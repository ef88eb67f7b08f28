import { isUtf8 } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { codeOf } from '../system.ts';
import type { Reading } from './value.ts';

const fileErrors: Record<string, string> = {
  ENOENT: 'There is no such file',
  EACCES: 'The bot may not read this file',
  EISDIR: 'This is a folder, not a file',
};

/** The text of a regular file, without the mark with which Windows begins one (BOM). `path` is absolute. */
export function readText(path: string): Reading {
  const file = readBytes(path);
  if ('rule' in file) return file;
  const { bytes } = file;
  if (isUtf8(bytes) && !bytes.includes(0)) return { value: bytes.toString('utf8').replace(/^\uFEFF/, '') };
  const lines = bytes.toString('latin1').split('\n');
  const line = lines.findIndex((each) => each.includes('\0') || !isUtf8(Buffer.from(each, 'latin1')));
  const kind = bytes.includes(0) ? ', but UTF-16 as PowerShell writes it, or no text' : '';
  return { rule: `Line ${line + 1} of this file is not UTF-8${kind}: ${shownPath(path)}. Save the file as UTF-8.` };
}

/** No configuration is that large, in bytes. */
const largest = 64 * 1024 * 1024;

/** A pipe would block the bot until somebody writes to it. Of a file that is written over meanwhile, nothing is taken. */
function readBytes(path: string): { bytes: Buffer } | { rule: string } {
  try {
    // Without O_NONBLOCK, opening a pipe blocks, too.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const before = fstatSync(file);
      if (!before.isFile() && !before.isDirectory()) return { rule: notRegular(path) };
      if (before.size > largest) return { rule: `This file is larger than 64 MiB: ${shownPath(path)}.` };
      const bytes = readFileSync(file);
      const after = fstatSync(file);
      const isSame = after.size === before.size && after.mtimeMs === before.mtimeMs;
      return isSame ? { bytes } : { rule: `This file changed while it was read: ${shownPath(path)}. ${inOneGo}` };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = codeOf(error, 'unknown error');
    return { rule: `${fileErrors[code] ?? 'This file cannot be read'}: ${shownPath(path)} (${code}).` };
  }
}

const inOneGo = 'Write it under another name, then rename it, and reload.';

const notRegular = (path: string): string =>
  `This is not a regular file, but a pipe or a device: ${shownPath(path)}. Put the text into a file.`;

/** A secret that is a file's whole text, without the line break that editors add. */
export function readSecret(path: string): Reading {
  const file = readText(path);
  if ('rule' in file) return file;
  const value = file.value.replace(/\r?\n$/, '');
  return value === '' ? { rule: `This file is empty: ${shownPath(path)}.` } : { value };
}

/** A PEM file of CA certificates. What stands between them may be in any encoding. */
export function readCertificates(path: string): Reading {
  const file = readBytes(path);
  if ('rule' in file) return file;
  const blocks =
    file.bytes.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > 0 && blocks.every(isCertificate)) return { value: blocks.join('\n') };
  return { rule: `This file holds no readable certificates in PEM (-----BEGIN CERTIFICATE-----): ${shownPath(path)}.` };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** Whether a part looks like a file name: words with a few digits. Anything else may be a secret in the wrong variable. */
const isName = (part: string): boolean =>
  /^(?=.{1,40}$)\.{0,2}(?:[A-Z]?[a-z]{1,20}\d{0,4}|\d{1,4})(?:[._-](?:[A-Z]?[a-z]{1,20}\d{0,4}|\d{1,4}))*$/.test(part);

/** A path for an error message: what exists of it, then only what looks like a name. So it repeats nothing secret. */
export function shownPath(path: string): string {
  const there = existing(path);
  const rest = path.slice(there.length).split(sep);
  return printable(there) + rest.map((part) => (part === '' || isName(part) ? part : '…')).join(sep);
}

/** The longest existing beginning of a path, without a trailing separator. */
function existing(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (dirname(at) === at) return '';
    if (existsSync(at)) return at;
  }
}

/** Replaces control characters, which would act on the terminal. */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '…');
