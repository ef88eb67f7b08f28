import { describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { type Command, exampleWith } from '../../../src/command.ts';
import { Invalid } from '../../../src/outcome.ts';
import { parseLine } from '../../../src/sandbox/discord/line.ts';
import { at, now } from '../../helpers/commands/typed.ts';
import { worldForAll } from '../../helpers/world.ts';

describe('an INVALID card', () => {
  const world = worldForAll({ still: true });

  it('marks what is wrong, gives the line back to be copied, and has the example with that option', async () => {
    expect(
      await world.alice.types('/firewall disable server:web-1 reason:"locked out" remind:"in an hour"'),
    ).toMatchInlineSnapshot(`
      "alice used /firewall disable
      panelops: INVALID /firewall disable
        │ \`remind:"in an hour"\`: this is not a time. Write 2h or 3d (from now), 22:00, tomorrow 8:00, or 2026-11-19 22:00 (UTC).
        │ \`\`\`
        │ /firewall disable server:web-1 reason:"locked out" remind:"in an hour"
        │ \`\`\`
        │ Nothing was sent.
        │ For example: \`/firewall disable server:web-1 reason:"locked out" remind:2h\`
        (only alice sees this)"
    `);
  });

  it('keeps what somebody typed inside its block: no mention, link or markup', async () => {
    const card = await world.alice.types(
      '/power boot server:wbe-1 reason:"``` <@1000000000000000001> @everyone [a](https://example.org) `x` \u202e# big"',
    );
    expect(world.discord.messages('alice', 'ops').at(-1)?.embeds[0]?.description).toContain(
      '\n```\n/power boot server:wbe-1 reason:"ˋˋˋ <@1000000000000000001> @everyone [a](https://example.org) ˋxˋ  # big"\n```\n',
    );
    expect(card).toContain('(only alice sees this)');
    expect(world.discord.messages('alice', 'ops').flatMap(({ pinged }) => pinged)).toEqual([]);
  });
});

/** Each option of each command, but those of which only Discord knows the values. */
const options = commands.flatMap((command: Command) =>
  command.menu === undefined
    ? Object.entries(command.options).flatMap(([name, { type }]): [string, Command, string][] =>
        type === 'user' ? [] : [[`${command.id} ${name}`, command, name]],
      )
    : [],
);

it.each(options)('the example for %s has that option, and is right', (_name, command, option) => {
  const written = exampleWith(command, option);
  expect(written).toContain(` ${option}:`);
  expect(written).not.toContain('server:web-1');
  const line = written.replace('server:NAME', 'server:web-1');
  const given = Object.entries(Object.fromEntries(parseLine(line).options)).filter(
    ([name]) => command.options[name]?.type !== 'user',
  );
  const raw = Object.fromEntries(
    given.map(([name, text]) => {
      const type = command.options[name]?.type;
      return [name, type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text];
    }),
  );
  try {
    command.prepare(raw, { ...at(now), team: { ...at(now).team, tiers: ['production'] } });
  } catch (error) {
    // Whom to hand over to is left out here.
    if (!(error instanceof Invalid && error.option === 'user')) throw error;
  }
});
