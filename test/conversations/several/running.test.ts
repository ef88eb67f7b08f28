import { describe, expect, it } from 'vitest';
import { changes } from '../../helpers/messages.ts';
import { examplePolicy, type World, worldForAll, worldForEach } from '../../helpers/world.ts';

const policy = examplePolicy.replace('also: [firewall.flush]', 'also: ["firewall.*", backup.restore]');
const paths = ({ panel }: World, since = 0): string[] =>
  changes({ panel })
    .slice(since)
    .map(({ path }) => path);

describe('several servers in turn', () => {
  const world = worldForEach({ still: true, policy });

  it('what was stored is applied for each, and what was disabled is enabled again', async () => {
    await world.alice.types('/firewall disable server:tier:lab sync:false');
    await world.alice.clicks('Confirm');
    expect(await world.alice.clicks('Apply now')).toContain('SUCCEEDED /firewall sync · 2 servers');
    await world.alice.clicks('Undo');
    await expect
      .poll(() => paths(world).map((path) => path.replace(/\?.*/, '')))
      .toEqual([
        ...['/servers/201/firewall/primary/disable', '/servers/202/firewall/primary/disable'],
        ...['/servers/201/firewall/primary', '/servers/202/firewall/primary'],
        ...['/servers/201/firewall/primary/enable', '/servers/202/firewall/primary/enable'],
      ]);
  });
});

describe('commands for one server, where the policy lets them have several', () => {
  const world = worldForAll({ still: true, policy });

  it('/firewall flush shows what is set on each', async () => {
    expect(await world.alice.types('/firewall flush server:tier:staging')).toShow(
      'QUESTION /firewall flush · 2 servers (2 staging)',
      'All firewall rules of web-3 (103) and cache-1 (131), primary interface, will be removed.',
      '**Cannot be undone; a file keeps the rules.** Rules set now: web-3: 200, cache-1: 2; all enabled.',
      '[Flush 2 servers] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /firewall flush · 2 servers',
      'Flush 2 servers: 2 succeeded.',
      '**SUCCEEDED** web-3 (103): Primary interface: all rules were removed.',
      '**SUCCEEDED** cache-1 (131): Primary interface: all rules were removed.',
      'In the file: the 202 rules from before.',
      '📎 2-servers-primary-rules-before.txt (17035 bytes)',
    );
  });

  it('/backup restore is confirmed by typing how many servers there are', async () => {
    const line = '/backup restore server:tier:staging disks:0 reason:"lost update"';
    expect(await world.alice.types(line)).toShow(
      'QUESTION /backup restore · 2 servers (2 staging)',
      'Disk 0 of web-3 (103) and cache-1 (131) will be overwritten from their backups.',
      '**No time or chain was chosen**: the panel picks. To choose: Cancel, and add a time, such as `until:6h`.',
      'Nothing is sent until @alice confirms by typing `2 servers`. Runs out in 5 minutes.',
      '[Restore disk 0 of 2 servers] [Cancel]',
    );
    await world.alice.clicks('Confirm');
    const before = changes(world).length;
    for (const typed of ['tier:staging', 'web-3', '2', '3 servers']) {
      expect(await world.alice.fills(typed)).toContain('What you typed is not `2 servers`.');
      await world.alice.clicks('Confirm');
    }
    expect(changes(world)).toHaveLength(before);
    expect(await world.alice.fills('2 Servers')).toShow(
      'ACCEPTED /backup restore · 2 servers',
      'Restore disk 0 of 2 servers: 2 accepted.',
      '**ACCEPTED** web-3 (103): The restore of web-3 has started (job 9001) and is not finished yet.',
      '**ACCEPTED** cache-1 (131): The restore of cache-1 has started (job 9002) and is not finished yet.',
    );
  });

  it('/backup restore takes no chains then: each belongs to one server', async () => {
    expect(
      await world.alice.types('/backup restore server:tier:lab disks:0 chains:0=17 reason:"lost update"'),
    ).toContain('a chain belongs to one server. For several, choose a time with until.');
  });
});
