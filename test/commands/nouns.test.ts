import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/command.ts';

const all: readonly Command[] = commands;
const nouns = all.flatMap(({ id, noun }) => (noun === undefined ? [] : [{ id, noun }]));

describe('the noun', () => {
  it('is there for power actions at least', () => {
    expect(nouns.length).toBeGreaterThan(3);
  });

  it.each(nouns)('of $id stands inside sentences, in lower case: $noun', ({ noun }) => {
    expect(noun).toMatch(/^[a-z]/);
  });
});
