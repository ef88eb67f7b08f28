import type { SandboxDiscord } from '../discord/index.ts';

/** The greeting, in lines short enough for a phone. */
export function greeting(discord: SandboxDiscord): string {
  const names = Object.keys(discord.people);
  const width = Math.max(...names.map((name) => name.length));
  const people = Object.entries(discord.people).map(
    ([name, person]) => `  ${name.padEnd(width)}  ${roleNames(discord, person.roles)}`,
  );
  return [
    'This is the sandbox. You speak for:',
    ...people,
    'Channels:',
    `  ${Object.keys(discord.channels)
      .map((name) => `#${name}`)
      .join(' ')}`,
    'Try:',
    '  alice /firewall flush server:web-1',
    '  alice click Confirm',
    '  as carol',
    'Type help for more.',
  ].join('\n');
}

/** Text from outside, safe for a terminal: control characters except new lines are spelled out. */
export const harmless = (text: string): string =>
  text.replace(/[^\P{Cc}\n]/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

const marks =
  /(`+)[^`][\s\S]*?\1(?!`)|\*\*((?:`[^`\n]*`|[^*`\n])+)\*\*|\[([^\]\n]+)\]\(https:\/\/discord\.com\/[^)\s]+\)|^( *(?:│ )?)-# /gm;

/** A message without the marks of bold text, links and small print, which a terminal does not draw. Code stays as it is. */
export const unmarked = (text: string): string =>
  text.replaceAll(marks, (whole, code?: string, bold?: string, label?: string, indent?: string) =>
    code === undefined ? (bold === undefined ? (label ?? indent ?? '') : unmarked(bold)) : whole,
  );

function roleNames(discord: SandboxDiscord, ids: string[]): string {
  const names = Object.entries(discord.roles)
    .filter(([, id]) => ids.includes(id))
    .map(([name]) => name);
  return names.join(', ') || 'no role';
}

export const HELP = [
  'PERSON /command option:value',
  '  runs a command in #ops; quote what',
  '  has spaces: reason:"two words"',
  'PERSON #random /command',
  '  runs it in another channel or thread',
  'PERSON click LABEL',
  '  presses the newest such button',
  'PERSON type TEXT',
  '  fills in and sends the open form',
  'as PERSON',
  '  shows what that person sees',
].join('\n');
