import { describe, expect, it } from 'vitest';
import { fileIn, says, steady, threadsOf } from '../helpers/incidents/scene.ts';
import { worldForAll } from '../helpers/world.ts';

describe('the end of an incident', () => {
  const world = worldForAll({ still: true });

  const ofBot = (place: string) =>
    world.discord.messages('carol', place).filter(({ author, content }) => author === 'panelops' && content !== '');
  const over = () => ofBot('ops').filter(({ content }) => content.startsWith('**Incident over**'));

  it('is posted where the incident was opened: how long it took, who took part, and what was done', async () => {
    await world.alice.types('/incident start title:"web-1 does not answer"');
    const [thread = ''] = threadsOf(world);
    await world.bob.types('/power boot server:web-1', thread);
    await says(world, 'carol', thread, 'customers are told');
    await world.bob.types('/power boot server:web-2');
    await world.carol.types('/power boot server:web-2');
    await world.bob.types('/incident end', thread);
    const [said, ...others] = over();
    expect(others).toEqual([]);
    expect(steady(world.discord.viewMessage('carol', said ?? expect.fail('nothing is said')))).toShow(
      '**Incident over** `web-1 does not answer` · #web-1 does not answer',
      'It took **less than a minute**: opened by @alice TIME, ended by @bob TIME.',
      '1 run: 1 accepted. 0 notes by people, 0 reads.',
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
