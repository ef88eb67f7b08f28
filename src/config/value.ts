import { X509Certificate } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isLoopback } from '../panel/url.ts';
import { shownPath } from './path.ts';

/** A value, or the rule that it breaks. A rule never repeats the value, except for a visible path. */
export type Reading = { value: string } | { rule: string };

/** A token for an Authorization header. `scheme` is the word that people copy along with it. */
export function readToken(text: string, scheme: 'Bot' | 'Bearer'): Reading {
  if (/[\r\n]/.test(text.trim())) return { rule: 'The token has a line break in it. It is one line.' };
  if (text !== text.trim()) return { rule: 'There are spaces or line breaks around the token. Remove them.' };
  if (/^["'`]|["'`]$/.test(text)) return { rule: 'There are quotes around the token. Remove them.' };
  if (new RegExp(`^${scheme}\\s`, 'i').test(text)) {
    return { rule: `The token begins with "${scheme} ". Leave that word out: the bot adds it.` };
  }
  if (!/^[\x21-\x7e]+$/.test(text))
    return { rule: 'The token has a character in it that no token has, such as a space.' };
  return { value: text };
}

export function readGuild(text: string): Reading {
  return /^\d{17,19}$/.test(text) ? { value: text } : { rule: 'A guild id is 17 to 19 digits and nothing else.' };
}

export function readChannel(text: string): Reading {
  return /^\d{17,19}$/.test(text) ? { value: text } : { rule: 'A channel id is 17 to 19 digits and nothing else.' };
}

/** Discord's API URL. discord.js appends the version, so it must end in /api. */
export function readApiUrl(text: string): Reading {
  if (!URL.canParse(text)) return { rule: 'This is no URL. It looks like https://discord.com/api.' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return { rule: 'The URL must not contain a user name or password.' };
  if (!text.endsWith('/api') || url.search !== '' || url.hash !== '') {
    return { rule: 'The URL must end in /api, without a slash, version, query or fragment after it.' };
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.href))) return { value: text };
  return {
    rule: 'The URL must begin with https://. Plain http:// is only for loopback (127.0.0.1, localhost, [::1]).',
  };
}

/** A port to listen on: 0 to 65535. */
export function readPort(text: string): Reading {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return { value: text };
  return { rule: 'A port is a number from 0 to 65535 and nothing else.' };
}

/** An IP address to listen on. A host name could resolve to several. */
export function readHost(text: string): Reading {
  if (isIP(text) !== 0) return { value: text };
  return { rule: 'It must be an IP address of this machine: 127.0.0.1, or :: for all that it has.' };
}

/** The base URL for traces, to which /v1/traces is appended. */
export function readTracesUrl(text: string): Reading {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return { rule: 'The URL must begin with http:// or https://, as http://127.0.0.1:4318.' };
  if (url.username !== '' || url.password !== '') return { rule: 'The URL must not contain a user name or password.' };
  if (url.search !== '' || url.hash !== '')
    return { rule: 'The URL must end after its path, without a query or fragment.' };
  return { value: url.href.replace(/\/+$/, '') };
}

export function readRedisUrl(text: string): Reading {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // ioredis compares the scheme literally: in any other case it would send the password in plain text.
  if (url === undefined || !/^rediss?:\/\/\S+$/.test(text) || url.hostname === '')
    return { rule: 'The URL must be redis://host:port or rediss://host:port.' };
  // ioredis reads options from the query: `tls=` turns encryption off.
  if (/[?#]/.test(text))
    return { rule: 'The URL must end after the host, its port or /db, without a query or fragment.' };
  if (url.protocol === 'rediss:' || isLoopback(url.href)) return { value: text };
  return {
    rule: 'The URL must begin with rediss://. Plain redis:// is only for loopback (127.0.0.1, localhost, [::1]).',
  };
}

const fileErrors: Record<string, string> = {
  ENOENT: 'There is no such file',
  EACCES: 'The bot may not read this file',
  EISDIR: 'This is a folder, not a file',
};

/** The text of a regular file: a pipe would block the bot until somebody writes to it. `path` is absolute. */
export function readText(path: string): Reading {
  try {
    // Without O_NONBLOCK, opening a pipe blocks, too.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const kind = fstatSync(file);
      return kind.isFile() || kind.isDirectory() ? { value: readFileSync(file, 'utf8') } : { rule: notRegular(path) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { rule: `${fileErrors[code] ?? 'This file cannot be read'}: ${shownPath(path)} (${code}).` };
  }
}

const notRegular = (path: string): string =>
  `This is not a regular file, but a pipe or a device: ${shownPath(path)}. Put the text into a file.`;

/** A secret that is a file's whole text, without the line break that editors add. */
export function readSecret(path: string): Reading {
  const file = readText(path);
  if ('rule' in file) return file;
  const value = file.value.replace(/\r?\n$/, '');
  return value === '' ? { rule: `This file is empty: ${shownPath(path)}.` } : { value };
}

/** A PEM file of CA certificates. */
export function readCertificates(path: string): Reading {
  const file = readText(path);
  if ('rule' in file) return file;
  const blocks = file.value.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
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
