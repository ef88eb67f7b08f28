import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { words } from '../helpers/card-text.ts';
import { fileIn, steady, threadsOf } from '../helpers/incidents/scene.ts';
import { worldForAll } from '../helpers/world.ts';

describe('an incident', () => {
  let thread: string;
  const world = worldForAll({ still: true });

  it('opens a thread at its card, which says what it is for', async () => {
    expect(await world.alice.types('/incident start title:"web-1 does not answer"')).toShow(
      'SUCCEEDED /incident start',
      'The incident `web-1 does not answer` is open in #web-1 does not answer.',
      'Type commands there: only those are in its timeline, which /incident end posts.',
      '↳ thread #web-1 does not answer',
    );
    [thread = ''] = threadsOf(world);
    const [first, second] = world.alice
      .sees(thread)
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .slice(-2);
    expect(first).toMatch(
      /\*\*Incident\*\* `web-1 does not answer`, since .* @alice leads it until you agree on somebody else\.$/,
    );
    expect(second).toMatch(/Commands typed here are in its timeline, .* \/incident end posts the timeline\.$/);
    expect(world.entries().at(-1)).toMatchObject({
      ...{ kind: 'incident', step: 'opened', incident: thread, title: 'web-1 does not answer' },
      actor: { name: 'alice' },
      place: { channel: world.discord.channels.ops },
    });
  });

  it('keeps a message from anywhere, with its own author and time, once', async () => {
    const early = await world.discord.type('carol', 'ops', 'web-1 answers *nothing* since 08:10');
    expect(await world.bob.picks('Add to incident timeline', early)).toShow(
      'SUCCEEDED Add to incident timeline',
      'The message of `carol` is in the timeline of #web-1 does not answer:',
      '`web-1 answers *nothing* since 08:10`',
      '(only bob sees this)',
    );
    expect(await world.alice.picks('Add to incident timeline', early)).toShow(
      'INVALID Add to incident timeline',
      'The message of `carol` is in the timeline of #web-1 does not answer already.',
      '(only alice sees this)',
    );
    expect(world.entries().at(-1)).toMatchObject({
      step: 'noted',
      incident: thread,
      actor: { name: 'bob' },
      note: {
        message: early,
        channel: world.discord.channels.ops,
        author: { id: world.discord.people.carol.id, name: 'carol' },
        // Discord's ids have the time in their upper 42 bits, in ms since 2015.
        time: new Date(Number((BigInt(early) >> 22n) + 1_420_070_400_000n)).toISOString(),
        text: 'web-1 answers *nothing* since 08:10',
      },
    });
  });

  it('has what is typed in its thread: a restore, a denied attempt', async () => {
    await world.alice.types('/backup restore server:web-1 disks:0 chains:0=17 reason:"disk is `gone`"', thread);
    await world.alice.clicks('Confirm');
    expect(await world.alice.fills('web-1')).toContain('panelops: ACCEPTED /backup restore · web-1 (101, production)');
    expect(await world.carol.types('/power boot server:web-1', thread)).toContain('panelops: DENIED /power boot');
    for (const _ of [1, 2, 3]) await world.mallory.types('/power poweroff server:web-1', thread);
    // A denial is answered first and recorded then.
    await expect.poll(() => world.ledger().filter(({ kind }) => kind === 'denied')).toHaveLength(4);
    await world.alice.types('/power shutdown server:web-2', thread);
  });

  it('takes a message with markup, mentions, backticks and hidden letters as what it says', async () => {
    const wild = '@everyone **look**: `rm -rf /`\n<@&1200000000000000003> | a\u202Eb\u200Bc | # not a heading';
    const message = await world.discord.type('mallory', thread, wild);
    expect(await world.alice.picks('Add to incident timeline', message)).toShow(
      'SUCCEEDED Add to incident timeline',
      '`@everyone **look**: ˋrm -rf /ˋ <@&1200000000000000003> | a b c | # not a heading`',
      '(only alice sees this)',
    );
    expect(world.discord.messages('alice', thread).at(-1)?.pinged).toEqual([]);
  });

  it('keeps no card of the bot: what is typed there is in the timeline by itself', async () => {
    const card = world.discord.messages('alice', thread).find(({ content }) => words(content).startsWith('ACCEPTED'));
    expect(await world.alice.picks('Add to incident timeline', card?.id ?? '')).toContain(
      "The bot's own messages are not kept: what is typed here is in the timeline by itself.",
    );
  });

  it('is denied to whoever may not open one', async () => {
    const [message] = world.discord.messages('carol', thread);
    expect(await world.carol.picks('Add to incident timeline', message?.id ?? '')).toContain(
      'Not allowed: none of your roles has the permission `incident.note`.',
    );
    expect(await world.carol.types('/incident end', thread)).toContain('panelops: DENIED /incident end');
    expect(await world.carol.types('/incident start title:mine')).toContain('panelops: DENIED /incident start');
    // A denial is recorded after its answer.
    const denied = () => world.ledger().flatMap(({ kind, command }) => (kind === 'denied' ? [command] : []));
    await expect.poll(() => denied().slice(-3)).toEqual(['incident.note', 'incident.end', 'incident.start']);
  });

  it('ends with its timeline as a file', async () => {
    expect(steady(await world.bob.types('/incident end', thread))).toShow(
      'SUCCEEDED /incident end',
      'The incident `web-1 does not answer` has ended after less than a minute.',
      'Still running: /backup restore web-1 (101) ([card](https://discord.com/channels/G/C/M)).',
      'Waiting for Confirm: /power shutdown web-2 (102)',
      'The thread stays; what is done there from now on does not belong to it.',
    );
    const [posted = expect.fail('no timeline'), ...others] = world.discord
      .messages('carol', thread)
      .filter(({ files }) => files.length > 0);
    expect(others).toEqual([]);
    expect(steady(world.discord.viewMessage('carol', posted))).toShow(
      '**Timeline** of `web-1 does not answer`',
      'It took **less than a minute**: opened by @alice TIME, ended by @bob TIME.',
      '8 runs: 1 accepted, 6 denied, 1 waiting for Confirm. 2 notes by people, 0 reads.',
      '📎 incident-DAY-web-1-does-not-answer.md (N bytes)',
    );
    expect(steady(fileIn(world, thread))).toMatchInlineSnapshot(`
      "# Incident: \`web-1 does not answer\`

      - Opened: TIME UTC by \`alice\`
      - Ended: TIME UTC by \`bob\`
      - Took part: \`alice\`, \`carol\`, \`mallory\`, \`bob\`
      - Runs: 8 (1 accepted, 6 denied)
      - Notes: 2 messages kept by people
      - Reads: none
      - Still running: \`/backup restore\` web-1 (101) ([card](https://discord.com/channels/G/C/M)).
      - Waiting for Confirm: \`/power shutdown\` web-2 (102) ([card](https://discord.com/channels/G/C/M)).

      ## Timeline

      - **TIME UTC** \`alice\` opened the incident.
      - **TIME UTC** \`carol\` wrote:
        > \`web-1 answers *nothing* since 08:10\`
      - **TIME UTC** \`alice\` \`/backup restore\` on web-1 (101) with \`chains:0=17 disks:0\`: **accepted**. The restore of web-1 has started (job 9001) and is not finished yet. Reason: \`disk is ˋgoneˋ\` ([card](https://discord.com/channels/G/C/M))
      - **TIME UTC** \`carol\` \`/power boot\` with \`server:web-1\`: **denied**. Not allowed.
      - **TIME UTC** \`mallory\` \`/power poweroff\` with \`server:web-1\`: **denied** ×3, until TIME UTC. Not allowed.
      - **TIME UTC** \`alice\` \`/power shutdown\` on web-2 (102): **asked**, and not confirmed yet. ([card](https://discord.com/channels/G/C/M))
      - **TIME UTC** \`mallory\` wrote:
        > \`@everyone **look**: ˋrm -rf /ˋ\`
        >
        > \`<@&ID> | a b c | # not a heading\`
      - **TIME UTC** \`carol\` \`/incident note\`: **denied**. Not allowed.
      - **TIME UTC** \`carol\` \`/incident end\`: **denied**. Not allowed.
      - **TIME UTC** \`bob\` ended the incident.
      "
    `);
    expect(world.entries().at(-1)).toMatchObject({ step: 'ended', incident: thread, actor: { name: 'bob' } });
  });

  it('ends once', async () => {
    const over = 'The incident `web-1 does not answer` has already ended: #web-1 does not answer.';
    expect(await world.alice.types('/incident end', thread)).toContain(over);
    expect(await world.alice.types('/incident end')).toShow('INVALID /incident end', 'No incident is open.');
    const late = await world.discord.type('carol', thread, 'too late');
    expect(await world.alice.picks('Add to incident timeline', late)).toContain('has already ended');
    expect(world.discord.messages('alice', thread).filter(({ files }) => files.length > 0)).toHaveLength(1);
  });
});

describe('several incidents', () => {
  const world = worldForAll({ still: true });

  it('are two when two are started at once', async () => {
    const start = '/incident start title:"disks are slow"';
    await Promise.all(['alice', 'bob'].map((who) => world.discord.type(who, 'ops', start)));
    const isStart = ({ content }: SeenMessage) => content === '✓ **SUCCEEDED /incident start**';
    await world.discord.until(() => world.discord.messages('alice', 'ops').filter(isStart).length === 2);
    expect(new Set(threadsOf(world)).size).toBe(2);
    const opened = { kind: 'incident', step: 'opened', title: 'disks are slow' };
    expect(world.entries().filter(({ kind }) => kind === 'incident')).toMatchObject([opened, opened]);
  });

  it('are told apart by the thread', async () => {
    const [first = '', second = ''] = threadsOf(world);
    const message = await world.discord.type('bob', 'ops', 'which?');
    expect(await world.bob.picks('Add to incident timeline', message)).toShow(
      'INVALID Add to incident timeline',
      'Several incidents are open: #disks are slow and #disks are slow.',
      'Type it in the thread of the one you mean. Nothing was changed.',
      "For a message from elsewhere: paste its text into the incident's thread, and keep that message.",
      '(only bob sees this)',
    );
    expect(await world.bob.types('/incident end')).toShow(
      'INVALID /incident end',
      'Several incidents are open: #disks are slow and #disks are slow.',
    );
    const inside = await world.discord.type('bob', second, 'this one');
    expect(await world.bob.picks('Add to incident timeline', inside)).toContain('panelops: SUCCEEDED');
    expect(world.entries().at(-1)).toMatchObject({ step: 'noted', incident: second });
    expect(await world.bob.types('/incident end', first)).toContain('panelops: SUCCEEDED /incident end');
    // Now only one is open.
    expect(await world.bob.types('/incident end')).toContain('panelops: SUCCEEDED /incident end');
    expect(fileIn(world, second)).toContain('`this one`');
    expect(fileIn(world, first)).not.toContain('`this one`');
  });

  it('cannot be started in a thread, outside of where commands are answered, or without a title to read', async () => {
    const [first = ''] = threadsOf(world);
    const count = threadsOf(world).length;
    expect(await world.alice.types('/incident start title:inside', first)).toContain('A thread cannot have threads.');
    const elsewhere = await world.alice.types('/incident start title:elsewhere', 'random');
    expect(elsewhere).toContain('Commands are not answered here');
    expect(await world.alice.types('/incident start title:"\u200B \u202E"')).toContain('it has no readable text.');
    expect(threadsOf(world)).toHaveLength(count);
  });
});
