import { isIP } from 'node:net';
import { isLoopback, normalizePanelUrl } from '../panel/url.ts';
import { firstUnseen } from '../text.ts';

/** A value, or the rule that it breaks. A rule never repeats the value, except for a visible path. */
export type Reading = { value: string } | { rule: string };

/** Reads a value where any variable is set: what its own rules would let pass does not pass here. */
export function readValue(text: string, read: (text: string) => Reading): Reading {
  const rule = odd(text);
  return rule === undefined ? read(text) : { rule };
}

/** For a value without rules of its own, such as a path. */
export const asItIs = (value: string): Reading => ({ value });

/** What makes a value another one than it looks like, or none. */
export function odd(text: string): string | undefined {
  if (text.trim() === '') return 'It is set, but empty. Give it a value, or remove it.';
  const hidden = hiddenIn(text);
  if (hidden !== undefined) return hidden;
  if (text !== text.trim() || /[\r\n\t]/.test(text))
    return 'There are spaces, tabs or line breaks in or around it. Remove them.';
  if (/^["'`\p{Pi}\p{Pf}„‚]|["'`\p{Pi}\p{Pf}]$/u.test(text)) return 'There are quotes around it. Remove them.';
  if (/^#| #/.test(text)) return 'There is a comment behind it, or instead of it. Remove it.';
  if (/\$\{|^\$\w+(?:\/|$)|^%\w+%|^~(?:\/|$)/.test(text))
    return 'It begins with ~ or names a variable, and nothing replaces that here. Write out what it stands for.';
  return undefined;
}

/** The first character that does not show: zero-width, a no-break space, a control character. */
function hiddenIn(text: string): string | undefined {
  const at = firstUnseen(text);
  if (at === -1) return undefined;
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `Its character ${at + 1} does not show (U+${code}). Remove it, or type the value again.`;
}

/** A token for an Authorization header. `scheme` is the word that people copy along with it. */
export function readToken(text: string, scheme: 'Bot' | 'Bearer'): Reading {
  if (/^sandbox$/i.test(text))
    return { rule: 'The word sandbox stands for the sandbox in DISCORD_TOKEN and PANEL_URL alone.' };
  if (new RegExp(`^${scheme}\\s`, 'i').test(text)) {
    return { rule: `The token begins with "${scheme} ". Leave that word out: the bot adds it.` };
  }
  if (!/^[\x21-\x7e]+$/.test(text))
    return { rule: 'The token has a character in it that no token has, such as a space.' };
  return { value: text };
}

/** Tokens with names: alertmanager=TOKEN,grafana=TOKEN. */
export function readTokens(text: string): Reading {
  const pairs = tokensIn(text);
  const isForm = pairs.every(({ name, token }) => /^[a-z0-9-]{1,32}$/.test(name) && /^[\w.~+/=-]{20,200}$/.test(token));
  if (!isForm)
    return {
      rule: 'It must be name=token, with commas between several: names of small letters, digits and dashes, tokens of 20 or more letters and digits.',
    };
  const isOnce = [pairs.map(({ name }) => name), pairs.map(({ token }) => token)].every(
    (all) => new Set(all).size === all.length,
  );
  return isOnce ? { value: text } : { rule: 'Two sources have the same name, or the same token. Give each its own.' };
}

export const tokensIn = (text: string): { name: string; token: string }[] =>
  text.split(',').map((pair) => {
    const [name = '', ...token] = pair.split('=');
    return { name, token: token.join('=') };
  });

export function readGuild(text: string): Reading {
  return /^\d{17,19}$/.test(text) ? { value: text } : { rule: 'A guild id is 17 to 19 digits and nothing else.' };
}

export function readChannel(text: string): Reading {
  return /^\d{17,19}$/.test(text) ? { value: text } : { rule: 'A channel id is 17 to 19 digits and nothing else.' };
}

/** Discord's API URL. discord.js appends the version, so it must end in /api. */
export function readApiUrl(text: string): Reading {
  if (!URL.canParse(text)) return { rule: 'This is not a URL. It looks like https://discord.com/api.' };
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

export function readPanelUrl(text: string): Reading {
  const read = normalizePanelUrl(text);
  return 'url' in read ? { value: read.url } : { rule: `It ${read.problem}.` };
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

/** The URL of a collector, without a slash at its end. */
export function readCollectorUrl(text: string): Reading {
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
  if (url === undefined || !/^rediss?:\/\/\S+$/.test(text) || !redisHost.test(url.hostname) || url.port === '0')
    return { rule: 'The URL must be redis://host:port or rediss://host:port.' };
  // ioredis reads options from the query: `tls=` turns encryption off.
  if (/[?#]/.test(text) || !/^(?:\/\d{0,4})?$/.test(url.pathname))
    return { rule: 'The URL must end after the host, its port or /db, without a query or fragment.' };
  if (!isEncoded(url.username) || !isEncoded(url.password))
    return { rule: 'In its user name and password, write each % as %25.' };
  if (url.protocol === 'rediss:' || isLoopback(`http://${url.host}`)) return { value: text };
  return {
    rule: 'The URL must begin with rediss://. Plain redis:// is only for loopback (127.0.0.1, localhost, [::1]).',
  };
}

/** URL takes anything for the host of a redis: URL, such as letters that no name server knows. */
const redisHost = /^(?:\[[\da-f:.]+\]|[a-z\d](?:[\w.-]*\w)?\.?)$/i;

/** Whether it can be decoded: URL leaves a % that stands for nothing. */
export function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** A problem that prevents the start: the variable or place, the rule, and where to get the value. Never the value. */
export interface ConfigProblem {
  what: string;
  rule: string;
  where: string;
}

/** The text for standard error: a headline, then every problem with its rule and the source of its value. */
export function describeProblems(problems: readonly ConfigProblem[]): string {
  const headline = `panelops cannot run: ${problems.length === 1 ? 'one problem' : `${problems.length} problems`} in its configuration.`;
  const paragraphs = problems.map(({ what, rule, where }) => `  ${what}\n    ${rule}\n    ${where}`);
  return `${[headline, ...paragraphs].join('\n\n')}\n`;
}
