import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeProblems, readConfig, variables } from '../../src/config.ts';

const nowhere = { examplePolicy: join(tmpdir(), 'gone', 'policy.example.yaml'), cwd: join(tmpdir(), 'gone') };

/** No word of the rules can contain it: it has a letter of no rule in it. */
const secret = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019._-~+/=$%&ß漢'), minLength: 5, maxLength: 40 })
  .map((text) => `Ω${text}`);

/** The ways in which a secret gets into a value and the value is wrong. */
const wrapped = fc
  .tuple(
    secret,
    fc.constantFrom(
      (text: string) => text,
      (text: string) => ` ${text} `,
      (text: string) => `"${text}"`,
      (text: string) => `Bot ${text}`,
      (text: string) => `Bearer ${text}`,
      (text: string) => `${text}\n${text}`,
      (text: string) => `https://user:${text}@host.example/api`,
      (text: string) => `https://${text}/${text}?${text}#${text}`,
      (text: string) => `http://host.example/${text}/api`,
      (text: string) => `redis:${text}`,
      (text: string) => `./${text}.yaml`,
      (text: string) => `/etc/\0${text}`,
    ),
  )
  .map(([text, wrap]) => ({ text, value: wrap(text) }));

const names = [...variables.map(({ name }) => name), 'PANEL_TOKN', 'DISCORD_X', 'PANELOPS_TOKEN'];

describe('of any environment', () => {
  it('no value is ever repeated', () => {
    const env = fc.dictionary(fc.constantFrom(...names), wrapped, { minKeys: 1 });
    fc.assert(
      fc.property(env, (values) => {
        const plain = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));
        const read = readConfig(plain, {}, nowhere);
        expect(read.problems).not.toEqual([]);
        const text = describeProblems(read.problems);
        for (const { text: hidden, value } of Object.values(values)) {
          expect(text).not.toContain(hidden);
          expect(text).not.toContain(encodeURIComponent(hidden));
          expect(text).not.toContain(value);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('a name of odd characters is not repeated either', () => {
    const read = readConfig({ 'DISCORD_\u001b[31mred': 'x', [`PANEL_${'A'.repeat(60)}`]: 'x' }, {}, nowhere);
    const whats = read.problems.map(({ what }) => what);
    expect(whats).toEqual(['DISCORD_…', 'PANEL_…', 'POLICY_FILE']);
  });
});

describe('.env.example', () => {
  it('names every variable, and says of it what the table says: meaning, what holds without it, where to get it', () => {
    const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
    const [, ...blocks] = text.trimEnd().split('\n\n');
    const said = blocks.map((block) => {
      const [, text = '', name] = /^(.*)\n# ([A-Z_]+)=.*$/s.exec(block) ?? [];
      return [name, text.replaceAll(/\n?# /g, ' ').trim()];
    });
    expect(said).toEqual(variables.map(({ name, meaning, unset, where }) => [name, `${meaning} ${unset} ${where}`]));
  });
});
