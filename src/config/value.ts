import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isLoopback } from '../panel/url.ts';

/** A value that was read, or the rule that it breaks. A rule never repeats the value. */
export type Reading = { value: string } | { rule: string };

/** A token as it goes into an Authorization header. `scheme` is the word that people copy along with it. */
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

/** Discord's API, to which discord.js appends the version: so it ends in /api. */
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

export function readRedisUrl(text: string): Reading {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // ioredis looks for these very letters: with others, it sends the password in plain text.
  if (url === undefined || !/^rediss?:\/\/\S+$/.test(text) || url.hostname === '')
    return { rule: 'The URL must be redis://host:port or rediss://host:port.' };
  // ioredis takes a query for options of its own: `tls=` turns encryption off.
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

/** The text of a file. `path` is absolute. */
export function readText(path: string): Reading {
  try {
    return { value: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { rule: `${fileErrors[code] ?? 'This file cannot be read'} (${code}).` };
  }
}

/** A PEM file of CA certificates. */
export function readCertificates(path: string): Reading {
  const file = readText(path);
  if ('rule' in file) return file;
  const blocks = file.value.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length > 0 && blocks.every(isCertificate)) return { value: blocks.join('\n') };
  return { rule: 'This file holds no readable certificates in PEM (-----BEGIN CERTIFICATE-----).' };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
