import { describe, expect, it } from 'vitest';
import { asks, changes, ended, idOf, messageOf, stateOf, textOf } from '../../helpers/messages.ts';
import { changePolicy, exampleWith } from '../../helpers/policy/in-force.ts';
import { worldForEach } from '../../helpers/world.ts';

const world = worldForEach();

const changeExample = (...pieces: [from: string, to: string][]): string[] =>
  changePolicy(world, exampleWith(...pieces));

const more = '  - { id: 104, name: web-4, tier: staging }\n  - { id: 201, name: lab-1';
const paths = (): string[] => changes(world).map(({ path }) => path);

describe('a policy that changes between a question and its click', () => {
  it('does not widen what was asked: a new server of the tier is not touched', async () => {
    const question = await asks(world, '/power restart server:tier:staging');
    changeExample(['  - { id: 201, name: lab-1', more]);
    await world.discord.click('alice', question.id, idOf(question, 'Confirm'));
    expect(stateOf(await ended(world, question))).toBe('ACCEPTED');
    expect(paths()).toEqual(['/servers/103/power/restart', '/servers/131/power/restart']);
  });
});

it('A form for the reason is about the servers of that moment', async () => {
  const reasoned: [string, string] = ['commands:\n', 'commands:\n  - { match: [power.boot], reason: required }\n'];
  changeExample(reasoned);
  expect(await world.bob.types('/power boot server:tier:staging')).toBe('modal: /power boot · 2 servers');
  changeExample(reasoned, ['  - { id: 201, name: lab-1', more]);
  expect(await world.bob.fills('it is down')).toContain('ACCEPTED /power boot · 2 servers');
  expect(paths()).toEqual(['/servers/103/power/boot', '/servers/131/power/boot']);
});

it('A limit that is lower now leaves older cards as they are, with what they offer', async () => {
  const question = await asks(world, '/firewall disable server:web-* sync:false');
  await world.discord.click('alice', question.id, idOf(question, 'Confirm'));
  await ended(world, question);
  changeExample(['most: 10', 'most: 2']);
  const before = textOf(messageOf(world, question.id));
  await world.discord.click('alice', question.id, idOf(messageOf(world, question.id), 'Apply now'));
  await world.discord.until(() => world.discord.view('alice', 'ops').includes('these are 3 servers'));
  expect(textOf(messageOf(world, question.id))).toBe(before);
});
