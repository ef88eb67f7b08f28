import { expect, test } from 'vitest';
import { ask, panelForEach } from '../../helpers/sandbox/panel/asking.ts';

const panel = panelForEach();

test('until resolves with what it looked for, once it is there', async () => {
  const seen = panel.until(() => panel.effects.find(({ path }) => path === '/servers/101/power/boot'));
  await ask(panel, 'GET', '/connect');
  await ask(panel, 'POST', '/servers/101/power/boot');
  expect(await seen).toEqual({
    at: expect.any(Date),
    serverId: 101,
    what: 'boot of web-1 (101) queued',
    method: 'POST',
    path: '/servers/101/power/boot',
    body: undefined,
  });
});

test('until resolves at once with what is there already', async () => {
  expect(await panel.until(() => panel.state.server(101).name)).toBe('web-1');
});

test('until rejects after its time, saying what it waited for and what came instead', async () => {
  await ask(panel, 'GET', '/connect');
  const inVain = panel.until(() => panel.effects.length > 5 && 'never', 20);
  await expect(inVain).rejects.toThrow(/waited 20 ms in vain for .*panel\.effects\.length > 5.*GET \/connect 200/s);
  await expect(panel.until(() => false, 1)).rejects.toThrow('GET /connect 200');
});

test('until rejects with what the look throws', async () => {
  await expect(panel.until(() => panel.state.server(1))).rejects.toThrow('the sandbox has no server 1');
});

test('changed is called when a request comes, when it takes effect and when it is answered, until it is stopped', async () => {
  const seen: [number, number, number | undefined][] = [];
  const stop = panel.changed(() =>
    seen.push([panel.requests.length, panel.effects.length, panel.requests.at(-1)?.status]),
  );
  await ask(panel, 'POST', '/servers/101/firewall/primary/disable');
  expect(seen.slice(0, 3)).toEqual([
    [1, 0, undefined],
    [1, 1, undefined],
    [1, 1, 200],
  ]);
  await panel.until(() => seen.length > 2);
  stop();
  const before = seen.length;
  await ask(panel, 'GET', '/connect');
  expect(seen).toHaveLength(before);
});

test('an effect says in plain words what was changed', async () => {
  await ask(panel, 'POST', '/servers/101/firewall/primary/disable?sync=true');
  await ask(panel, 'POST', '/servers/101/firewall/primary/rules', { rulesets: [] });
  await ask(panel, 'PUT', '/servers/102/modify/cpuThrottle', { percent: 0 });
  expect(panel.effects.map(({ what }) => what)).toEqual([
    'firewall of web-1 (101), primary interface, disabled, and applied',
    'firewall of web-1 (101), primary interface, all rules flushed, stored only',
    'CPU of web-2 (102), throttle removed, stored only',
  ]);
});
