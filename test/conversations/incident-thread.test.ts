import { beforeAll, describe, expect, it } from 'vitest';
import { fileIn, steady, threadsOf } from '../helpers/incidents/scene.ts';
import { labelsOf } from '../helpers/messages.ts';
import { worldForAll } from '../helpers/world.ts';

describe("what is read in an incident's thread", () => {
  let thread = '';
  const world = worldForAll({ still: true });
  beforeAll(async () => {
    await world.alice.types('/incident start title:"rules are gone"');
    [thread = ''] = threadsOf(world);
  });

  it('is for everybody, and needs no Share', async () => {
    const card = await world.carol.types('/firewall show server:web-3', thread);
    expect(card).toContain('panelops: Firewall of web-3 · primary');
    expect(card).toContain('Showing 1–10 of 200 rules.\n  │ By @carol\n  [Next]');
    expect(card).not.toContain('sees this)');
    expect(world.bob.sees(thread)).toContain(card);
  });

  it('can be paged by anybody who may read it, and shows who did', async () => {
    expect(await world.bob.clicks('Next')).toContain('Showing 11–20 of 200 rules.\n  │ By @bob\n  [Previous] [Next]');
    expect(world.carol.sees(thread)).toContain('Showing 11–20 of 200 rules.');
    const before = world.carol.sees(thread);
    expect(await world.mallory.clicks('Next')).toContain('panelops: DENIED /firewall show\n');
    expect(world.carol.sees(thread)).toBe(before);
  });

  it('can be asked for again when it failed', async () => {
    world.panel.order({ kind: 'status-before', status: 500, times: 3 });
    const failed = await world.carol.types('/traffic show server:web-1', thread);
    expect(failed).toContain('panelops: UNKNOWN /traffic show');
    expect(failed).not.toContain('sees this)');
    expect(await world.bob.clicks('Ask again')).toContain('panelops: Traffic of ');
  });

  it('is in the ledger and in the timeline: who asked what, and nothing of what it showed', async () => {
    await world.alice.types('/hypervisors groups', thread);
    await world.bob.types('/follow-ups list', thread);
    const looks = () => world.entries().filter((entry) => entry.kind === 'incident' && entry.step === 'looked');
    // They are answered first and recorded then. What the panel is not asked for is none of them.
    const server = { id: 103, name: 'web-3' };
    const show = { command: 'firewall.show', options: { server: '103', interface: 'primary' }, server };
    const traffic = { command: 'traffic.show', options: { server: '101' }, server: { id: 101 } };
    await expect
      .poll(() => looks().map((entry) => ('look' in entry ? [entry.actor.name, entry.look] : [])))
      .toMatchObject([
        ['carol', show],
        ['bob', { ...show, part: 2 }],
        ['carol', { ...traffic, outcome: 'unknown' }],
        ['bob', traffic],
        ['alice', { command: 'hypervisors.groups' }],
      ]);
    expect(
      looks().map((entry) =>
        'look' in entry
          ? Object.keys(entry.look ?? {})
              .sort()
              .join()
          : '',
      ),
    ).toEqual([
      'command,options,server',
      'command,options,part,server',
      'command,options,outcome,server',
      'command,options,server',
      'command,options',
    ]);
    expect(JSON.stringify(looks())).not.toContain('accept');
    await world.alice.types('/incident end', thread);
    const timeline = steady(fileIn(world, thread));
    expect(timeline).toMatch(/- Took part: .*`carol`/);
    expect(timeline).toContain('- Reads: 5\n');
    expect(timeline).toContain(
      '- **TIME UTC** `carol` read `/firewall show` on web-3 (103) with `interface:primary`.\n',
    );
    expect(timeline).toContain(
      '- **TIME UTC** `bob` read `/firewall show` on web-3 (103) with `interface:primary`, part 2.\n',
    );
    expect(timeline).toContain('- **TIME UTC** `carol` read `/traffic show` on web-1 (101): **unknown**.\n');
    expect(timeline).toContain('- **TIME UTC** `bob` read `/traffic show` on web-1 (101).\n');
    expect(timeline).toContain('`alice` read `/hypervisors groups`');
  });

  it('is private again elsewhere, and once the incident has ended', async () => {
    expect(await world.carol.types('/firewall show server:web-1')).toContain('[Share]\n  (only carol sees this)');
    expect(await world.carol.types('/firewall show server:web-1', thread)).toContain('(only carol sees this)');
    const earlier = world.discord.messages('bob', thread).find((each) => labelsOf(each).includes('Previous'));
    expect(earlier?.ephemeral).toBe(false);
    const before = world.entries().length;
    expect(await world.bob.clicks('Previous')).toContain('Showing 1–10 of 200 rules.');
    await world.carol.types('/handover');
    expect(world.entries()).toHaveLength(before);
    expect(world.logged()).not.toContain('cannot add a read to a timeline');
  });
});

describe('the end of an incident', () => {
  const world = worldForAll({ still: true });

  const ofBot = (place: string) =>
    world.discord.messages('carol', place).filter(({ author, content }) => author === 'panelops' && content !== '');
  const over = () => ofBot('ops').filter(({ content }) => content.startsWith('**Incident over**'));

  it('is posted where the incident was opened: how long it took, who took part, and what was done', async () => {
    await world.alice.types('/incident start title:"web-1 does not answer"');
    const [thread = ''] = threadsOf(world);
    await world.bob.types('/power boot server:web-1', thread);
    // What has no words that the bot can read is kept as a link.
    const line = world.discord.post('carol', 'ops', { flags: 32_768, components: [{ type: 14, divider: true }] });
    expect(await world.bob.picks('Add to incident timeline', line)).toContain(
      'of `carol` has no words that the bot can read',
    );
    await world.bob.types('/power boot server:web-2');
    const elsewhere = ofBot('ops').findLast(({ content }) => content.includes('/power boot'));
    expect(await world.alice.picks('Add to incident timeline', elsewhere?.id ?? '')).toContain(
      "The bot's own messages are not kept, and what is typed outside #web-1 does not answer is not in its timeline.",
    );
    await world.carol.types('/power boot server:web-2');
    await world.bob.types('/incident end', thread);
    const [said, ...others] = over();
    expect(others).toEqual([]);
    const link = `https://discord.com/channels/${world.discord.guildId}/${world.discord.channels.ops}/${line}`;
    expect(fileIn(world, thread)).toContain(`> \`(no words that the bot can read: ${link})\``);
    expect(steady(world.discord.viewMessage('carol', said ?? expect.fail('nothing is said')))).toShow(
      '**Incident over** `web-1 does not answer` · #web-1 does not answer',
      'It took **less than a minute**: opened by @alice TIME, ended by @bob TIME.',
      '1 run: 1 accepted. 1 note by people, 0 reads.',
      'Not in its timeline: 1 run typed elsewhere meanwhile. /audit history has it.',
      'Its timeline is in the thread; `/audit export incident:ID format:md` has it, too.',
    );
  });

  it('asks first where something is left there, and a freeze is in the history beside the runs', async () => {
    await world.alice.types('/incident start title:"web-2 is open"');
    const thread = threadsOf(world).at(-1) ?? '';
    await world.alice.types('/firewall disable server:web-2', thread);
    await world.alice.clicks('Confirm');
    await world.alice.types('/freeze tier:staging reason:migration', thread);
    expect(await world.alice.types('/audit history person:@alice')).toMatch(
      /\*\*FROZEN\*\* tier `staging` by @alice: `migration`/,
    );
    const question = await world.alice.types('/incident end', thread);
    expect(question).toContain('2 things are still in place here. End the incident?');
    expect(question).toMatch(/Firewall disabled: web-2 \(102\), .* by @alice/);
    expect(question).toMatch(/Tier `staging` is frozen until .* by @alice: `migration`\./);
    expect(question).toContain('(only alice sees this)');
    expect(over()).toHaveLength(1);
    const end = await world.alice.clicks('End the incident');
    expect(end).toMatch(/Firewall disabled: web-2 \(102\), .* by @alice/);
    expect(end).toMatch(/Tier `staging` is frozen until .* by @alice: `migration`\./);
    expect(end).toContain('Is that meant to stay? /handover keeps listing it.');
    await world.alice.types('/thaw tier:staging');
  });

  it('is said once: where it was typed in that channel, its card is enough', async () => {
    await world.alice.types('/incident start title:"typed outside"');
    expect(await world.alice.types('/incident end')).toContain('has ended after less than a minute.');
    expect(over()).toHaveLength(2);
  });

  it('names in the timeline who froze what blocked a run, though that was before and elsewhere', async () => {
    await world.alice.types('/freeze tier:production reason:migration');
    await world.bob.types('/incident start title:"frozen"');
    const thread = threadsOf(world).at(-1) ?? '';
    await world.bob.types('/power boot server:web-1', thread);
    await world.bob.types('/incident end', thread);
    const timeline = fileIn(world, thread);
    expect(timeline).toMatch(/\*\*blocked\*\*.* by `alice`: `migration`/);
    expect(timeline).toContain('- Took part: `bob`\n');
    await world.alice.types('/thaw tier:production');
  });
});
