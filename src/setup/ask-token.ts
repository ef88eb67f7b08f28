import type { Reading } from '../config/value.ts';
import type { Ask } from './ask.ts';

/** A token: its name, the existing one, whether that one was just typed, and how to read it. */
export interface TokenField {
  what: string;
  before: string | undefined;
  isTyped: boolean;
  read(text: string): Reading;
}

/** The existing token, or a new one that is typed. */
export async function askToken(ask: Ask, { before, isTyped, ...field }: TokenField): Promise<string> {
  if (before === undefined) return await typeToken(ask, field);
  const kept = await ask.one(`${field.what}: ${isTyped ? 'you gave one already' : 'it is in .env'}.`, [
    { value: before, label: isTyped ? 'Keep it' : 'Keep the one in .env' },
    { value: undefined, label: 'Type another' },
  ]);
  return kept ?? (await typeToken(ask, field));
}

export const typeToken = (ask: Ask, { what, read }: Pick<TokenField, 'what' | 'read'>): Promise<string> =>
  ask.secret({
    message: `${what} (what you type or paste stays hidden)`,
    rule: (text) => (text === '' ? 'It is empty. Paste the token.' : ruleOf(read(text))),
  });

export const ruleOf = (reading: Reading): string | undefined => ('rule' in reading ? reading.rule : undefined);
