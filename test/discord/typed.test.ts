import { ApplicationCommandOptionType } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { lookalike, typedServers } from '../../src/card.ts';
import { typedOf } from '../../src/discord/payload.ts';
import { brokenBy } from '../helpers/commands/typed.ts';

/** An option as it arrives from Discord. */
const arrived = (name: string, value: string) =>
  typedOf({ name: 'x', options: [{ name, type: ApplicationCommandOptionType.String, value, focused: true }] });

describe('what is pasted along and does not show', () => {
  it.each([
    ['server', 'web-1\u200b', 'web-1'],
    ['server', '\ufeffweb-1', 'web-1'],
    ['server', 'web\u00ad-1\u2060', 'web-1'],
    ['server', '\u202aweb-1\u202c', 'web-1'],
    ['server', 'web-1\u3164', 'web-1'],
    ['server', 'web\u20111', 'web-1'],
    ['server', 'ｗｅｂ－1，lab-1', 'web-1,lab-1'],
    ['until', '2026-11-19\u00a022:00', '2026-11-19 22:00'],
    ['until', '“yesterday 22:00”', 'yesterday 22:00'],
    ['disks', '0,\u200d1', '0,1'],
    ['id', '12\ufe0f', '12'],
    ['tier', 'produc\u200btion', 'production'],
  ])('is not part of %s:%j', (name, value, plain) => {
    expect(arrived(name, value).options).toEqual({ [name]: plain });
  });

  it('stays in what people wrote for people', () => {
    for (const text of ['می\u200cخواهم', '👩\u200d🚒 here'])
      expect(arrived('reason', text).options).toEqual({ reason: text });
  });

  it('is not part of what is being typed either', () => {
    expect(arrived('server', 'we\u200bb').focused).toEqual({ name: 'server', value: 'web' });
  });
});

describe('a server as the bot writes it', () => {
  it.each([
    ['web-1 (101, production)', 'web-1 (101)'],
    ['web-1 (101)', 'web-1 (101)'],
    ['web-1 (101, production), db-1 (201, on call)', 'web-1 (101), db-1 (201)'],
    ['web-1 (101), web-2 (102) and db-1 (201)', 'web-1 (101), web-2 (102), db-1 (201)'],
    ["server 4711 (not in the policy's list)", '4711'],
    ['server 4711', '4711'],
    ['web-1 · 101 · production · 192.0.2.101', 'web-1 (101)'],
    ['web-1, db-1 · 201', 'web-1, db-1 (201)'],
    ['tier:staging · 2 servers: web-3, cache-1', 'tier:staging · 2 servers: web-3, cache-1'],
    ['tier:on call, web-*', 'tier:on call, web-*'],
  ])('%j is understood', (text, plain) => {
    expect(typedServers(text)).toBe(plain);
  });

  it('is looked up by both its name and its id', () => {
    expect(brokenBy('server.show', { server: 'web-1 (102)' })).toMatch(
      /^server: the policy names no server `web-1 \(102\)`\./,
    );
  });
});

it('A letter that only looks like one is named', () => {
  expect(lookalike('web-1')).toBe('');
  expect(lookalike('wеb-1')).toBe(' Its `е` is U+0435, which no name has.');
  expect(brokenBy('server.show', { server: 'wеb-1' })).toContain(
    'the policy names no server `wеb-1`. Its `е` is U+0435, which no name has.',
  );
});
