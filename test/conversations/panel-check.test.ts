import { describe, expect, it } from 'vitest';
import { openIntake } from '../helpers/alerts.ts';
import { answerOf, following, restores } from '../helpers/follow-ups/story.ts';
import { openWorld, type World } from '../helpers/world.ts';

/** What alice reads once so many checks are OK: a worker has taken its first job, and the machine had time for the rest. */
async function card(world: World, wanted: string): Promise<string> {
  let text = '';
  const typed = async (): Promise<string> => {
    text = await answerOf(world, 'alice', '/panel check');
    return text;
  };
  await expect.poll(typed, { timeout: 45_000 }).toContain(`${wanted} checks OK.`);
  return text;
}

describe('/panel check, for those who may look into the ledger', () => {
  it('counts what is well, and tells nobody else', async () => {
    const world = await openWorld({ audit: true, alerts: await openIntake() });
    expect(await card(world, '19')).toShow(
      'Panel check',
      '19 checks OK.',
      'Not checked: Configuration, Certificate, Restore status.',
      '(only alice sees this)',
    );
    for (const other of [world.bob, world.carol])
      expect(await other.types('/panel check')).toContain(
        'A real read works: the panel lists 24 hypervisor groups.\n  [Share]',
      );
    const paths = world.panel.requests.map(({ path }) => path).filter((path) => path !== '/backups/server/101');
    expect(paths).toEqual(
      Array(paths.length / 2)
        .fill(['/connect', '/compute/hypervisors/groups?results=1'])
        .flat(),
    );
  });

  it('names what is wrong first, each thing with what to do about it', async () => {
    const world = await openWorld({ audit: true });
    world.discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'files' });
    world.panel.order({ kind: 'delay', ms: 0, times: 0, headers: { 'x-ratelimit-remaining': '70' } });
    expect(await card(world, '16')).toShow(
      'FAILED /panel check',
      '**Wrong: Rights.** In `#ops` (`1300000000000000001`) the bot lacks Attach Files.',
      "Allow that to the bot's role in the channel's settings, Permissions.",
      "**Warning: Panel requests.** 70 of the token's 600 requests of this minute are left.",
      'Find out what else uses this token, or have its limit raised in the panel.',
      '16 checks OK.',
      'Not checked: Configuration, Certificate, Restore status, Alerts.',
      '(only alice sees this)',
    );
    expect(await world.carol.types('/panel check')).toContain('Panel check');
  });

  it('finds that the trail was changed, and that the panel cannot tell of a restore', async () => {
    const world = await following({ audit: true });
    await restores(world, 'web-1');
    const missing = { status: 404, body: { errors: ['?'] }, match: { path: '/jobs/' }, times: 0 };
    world.panel.order({ kind: 'status-before', ...missing });
    world.discord.deleteMessage('alice', world.discord.messages('alice', 'audit')[0]?.id ?? '');
    await world.discord.until(() => world.discord.view('alice', 'audit').includes('TRAIL CHANGED'));
    expect(await card(world, '17')).toShow(
      'FAILED /panel check',
      '**Wrong: Restore status.** The panel does not know job J of server 101 at the path of restore-status (404).',
      'Correct the path in the policy, or remove restore-status: then people say how a restore ended.',
      '**Wrong: Trail.** 1 finding in the audit channel, not acknowledged.',
      '/audit verify shows it. Find out who did it, then type /audit acknowledge.',
      '17 checks OK.',
      '(only alice sees this)',
    );
  });

  it('says nothing of it where everybody reads along', async () => {
    const world = await openWorld();
    await world.alice.types('/incident start title:fire');
    const [thread] = world.discord.threads();
    const said = await world.alice.types('/panel check', thread?.id ?? '');
    expect(said).toContain('Panel check');
    expect(said).not.toContain('checks OK');
  });

  it('tells by a real read what a token lacks that connects', async () => {
    const world = await openWorld();
    const lacks = { status: 403, match: { path: '/compute' }, body: { errors: ['Missing scope.'] } };
    world.panel.order({ kind: 'status-before', ...lacks });
    expect(await world.carol.types('/panel check')).toShow(
      'REJECTED /panel check',
      'The connection works, and the panel knows the token.',
      "But a real read failed. The panel knows the bot's token, but it lacks the permission for this (403).",
      "Tell whoever keeps the bot's PANEL_TOKEN. The permission is set in the panel, at the token.",
      '[Share]',
      '(only carol sees this)',
    );
  });
});
