import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../src/sandbox/panel/index.ts';
import { ask, panelForEach } from '../../helpers/sandbox/panel/asking.ts';

const panel = panelForEach();

const boot = () => ask(panel, 'POST', '/servers/101/power/boot');
const throttle = () => ask(panel, 'PUT', '/servers/101/modify/cpuThrottle?sync=true', { percent: 50 });

describe('which requests meet a fault', () => {
  const failing = { kind: 'status-before', status: 500 } as const;

  test('one, by default; faults apply in the order in which they were ordered', async () => {
    panel.order(failing);
    panel.order({ kind: 'status-before', status: 501, times: 2 });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await boot()).status);
    expect(statuses).toEqual([500, 501, 501, 200]);
  });

  test('all of them until cleared, when times is 0', async () => {
    panel.order({ ...failing, times: 0 });
    expect([(await boot()).status, (await boot()).status, (await boot()).status]).toEqual([500, 500, 500]);
    await panel.clear();
    expect((await boot()).status).toBe(200);
  });

  test.each<[Fault['match'], number[]]>([
    [{ method: 'POST' }, [200, 200, 500, 201]],
    [{ method: 'put' }, [200, 200, 200, 500]],
    [{ path: '/firewall/' }, [500, 500, 200, 201]],
    [{ path: '/firewall/primary?sync=true' }, [200, 500, 200, 201]],
    [{ changes: true }, [200, 500, 500, 500]],
    [{ changes: false }, [500, 200, 200, 201]],
    [{ method: 'GET', changes: true }, [200, 500, 200, 201]],
    [{ path: '/servers/102' }, [200, 200, 200, 201]],
  ])('%j', async (match, statuses) => {
    panel.order({ ...failing, times: 0, ...(match && { match }) });
    const heard = [
      await ask(panel, 'GET', '/servers/101/firewall/primary'),
      await ask(panel, 'GET', '/servers/101/firewall/primary?sync=true'),
      await boot(),
      await throttle(),
    ];
    expect(heard.map(({ status }) => status)).toEqual(statuses);
  });

  test('an invalid fault is refused, naming the key', () => {
    const order = (value: object) => () => panel.order({ ...failing, ...value });
    expect(order({ colour: 'red' })).toThrow('colour');
    expect(order({ match: { path: 1 } })).toThrow('match.path');
    expect(order({ times: -1 })).toThrow('times');
    expect(order({ kind: 'wrong-certificate' })).toThrow('kind');
  });
});
