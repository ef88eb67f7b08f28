import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { panelForEach } from '../../helpers/sandbox/panel/asking.ts';

const panel = panelForEach({ powerMs: 20, now: () => new Date('2026-11-20T03:00:00Z') });

test('the servers are those of the example policy, with their addresses and groups', () => {
  const policy = parse(readFileSync('policy.example.yaml', 'utf8'));
  const listed = policy.servers.map(({ tier: _, ...server }: Record<string, unknown>) => server);
  const known = panel.state.servers.map(({ id, name, ipv4, groupId }) => ({
    id,
    name,
    ips: [ipv4[0]],
    group: groupId,
  }));
  expect(known).toEqual(listed);
  expect(known).toHaveLength(12);
});
