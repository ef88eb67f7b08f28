import { describe, expect, it } from 'vitest';
import { readRoot } from '../helpers/house.ts';
import { commandsPage } from './commands.ts';
import { table } from './markdown.ts';

describe('the page of commands', () => {
  it('is what `npm run docs` writes', () => {
    const isSame = readRoot('docs/commands.md') === commandsPage();
    expect(isSame ? 'up to date' : 'it is out of date: run npm run docs, and look at what it changes').toBe(
      'up to date',
    );
  });

  /** A command's section. */
  const section = (name: string): string => commandsPage().split(`### ${name}\n`)[1]?.split('\n#')[0] ?? '';

  it('says what a change asks, sends and is taken back by, and what its options take', () => {
    expect(section('/cpu throttle')).toMatchInlineSnapshot(`
      "
      Limit servers to a percentage of their CPU; 0 removes the limit.

      - Permission: \`cpu.throttle\`
      - Danger: write
      - Asks first: only where the policy says so
      - Sends: \`PUT /servers/{serverId}/modify/cpuThrottle?sync\`
      - Undo: [\`/cpu throttle\`](#cpu-throttle)
      - Example: \`/cpu throttle server:web-1 percent:50\`

      | option    | required | takes                        | what it is                                                                      |
      | --------- | -------- | ---------------------------- | ------------------------------------------------------------------------------- |
      | \`server\`  | yes      | text, at most 400 characters | Servers, with commas: names, ids, addresses, tier:NAME, group:ID, globs (web-*) |
      | \`percent\` | yes      | a whole number from 0 to 100 | Limited to this percentage of its CPU; 0 removes the limit                      |
      | \`sync\`    |          | yes or no                    | Apply to the running server now (yes when left out); no: store only             |
      | \`reason\`  |          | text, at most 200 characters | Why: kept in the ledger and shown on the card                                   |
      | \`remind\`  |          | text, at most 30 characters  | Ping me then, unless it was undone: 2h, 1d or 22:00 (the policy's \`timezone\`)   |
      "
    `);
  });

  it('says what a read reads', () => {
    expect(section('/panel check')).toMatchInlineSnapshot(`
      "
      Check the connection, the token and a real read; leads see whatever else the bot needs.

      - Permission: \`panel.check\`
      - Danger: read
      - Reads: \`GET /connect\` and \`GET /compute/hypervisors/groups?results&page\`
      - Example: \`/panel check\`
      "
    `);
  });

  it('says what is done in the ledger alone', () => {
    expect(section('Add to incident timeline')).toMatchInlineSnapshot(`
      "
      Keep a message in an incident's timeline: the menu of the message, Apps, Add to incident timeline.

      - Permission: \`incident.note\`
      - Danger: write
      - Asks first: never, as nothing changes in the panel
      - Sends: nothing
      "
    `);
  });
});

describe('a table', () => {
  it('has columns of even width, and a bar within a cell', () => {
    expect(table(['a', 'long'], [['one|two', '']]).split('\n')).toEqual([
      '| a        | long |',
      '| -------- | ---- |',
      '| one\\|two |      |',
    ]);
  });
});
