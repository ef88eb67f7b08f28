import { describe, expect, it } from 'vitest';
import { readReply } from '../../src/panel/errors.ts';

const came = (body: unknown) => ({ status: 200, headers: {}, text: JSON.stringify(body), body });
const redact = (text: string): string => text.replaceAll('7|panel-token', '(token)');
const traffic = (body: unknown) => readReply('traffic', came(body), redact);

const block = { id: 1, current: true, month: 1, traffic: 500, start: '2026-11-01', end: '2026-11-30' };
const period = { month: 1, start: '2026-11-01', end: '2026-11-30' };
const available = { total: 1, current: period, months: { 1: period } };

describe('an answer to a read in another form', () => {
  it('is no data, so that nothing is decided by it, and beside that what fits and what does not', () => {
    const { start: _, ...dateless } = { ...block, id: 2 };
    expect(traffic({ data: { assigned: [block, dateless], available } })).toEqual({
      ...{ kind: 'unknown', reason: 'not-understood', status: 200 },
      loose: {
        data: { assigned: [block], available: { total: 1, current: period, months: [period] } },
        unexpected: [{ what: 'traffic block', value: dateless }],
      },
    });
  });

  it('may lack a part that the panel may leave empty', () => {
    const answer = traffic({ data: { assigned: [], available: { ...available, current: { month: 1 } } } });
    expect(answer).toMatchObject({
      loose: { data: { available: { current: null } }, unexpected: [{ what: 'current period', value: { month: 1 } }] },
    });
    expect(traffic({ data: { assigned: [], available: { total: 1, months: [] } } })).toMatchObject({
      loose: { data: { available: { current: null } }, unexpected: [] },
    });
  });

  it('is strange as a whole when what is around the rows is missing', () => {
    expect(traffic({ data: { assigned: [block] } })).toEqual({
      ...{ kind: 'unknown', reason: 'not-understood', status: 200 },
      loose: { unexpected: [{ what: 'answer', value: { assigned: [block] } }] },
    });
  });

  it('is strange with all of its page where the rows are none', () => {
    const body = { data: 'none', total: 0, current_page: 1 };
    expect(readReply('groups', came(body), redact)).toMatchObject({
      loose: { unexpected: [{ what: 'answer', value: body }] },
    });
  });

  it('sets a row aside whole, with the strange rows in it, once', () => {
    const amounts = { units: 'GB', max: 1, allocated: 1, free: 0, percent: null };
    const resources = {
      servers: amounts,
      memory: amounts,
      cpuCores: amounts,
      localStorage: { enabled: true, name: 'Local', storageType: 1, ...amounts },
      otherStorage: [{ name: 'nvme' }],
      network: { total: { ipv4: { free: 1 } } },
    };
    const page = { current_page: 1, last_page: 1, per_page: 20, from: 1, to: 2, total: 2 };
    const flags = { enabled: true, prohibit: false, accept: true, commissioned: true };
    const whole = { hypervisor: { id: 1, name: 'fra-1', ...flags }, resources };
    const broken = { hypervisor: { id: 2 }, resources };
    const answer = readReply('resources', came({ ...page, data: [whole, broken] }), redact);
    expect(answer).toMatchObject({
      loose: { data: { data: [{ hypervisor: { id: 1 }, resources: { otherStorage: [] } }] } },
    });
    expect(answer.kind === 'unknown' && answer.loose?.unexpected).toEqual([
      { what: 'storage', value: { name: 'nvme' } },
      { what: 'hypervisor', value: broken },
    ]);
  });

  it('is shown without secrets, whatever they are called and however deep', () => {
    const answer = traffic({
      data: {
        owner: { email: 'a@example.net', settings: [{ encryptedPassword: 'x', vnc: { port: 1 } }] },
        said: '7|panel-token',
      },
    });
    expect(answer).toMatchObject({
      loose: {
        unexpected: [
          {
            value: {
              owner: { email: '(hidden)', settings: [{ encryptedPassword: '(hidden)', vnc: '(hidden)' }] },
              said: '(token)',
            },
          },
        ],
      },
    });
  });

  it.each([[[]], ['words'], [{}], [{ data: {} }], [{ data: [] }], [null]])(
    'is nothing that can be shown: %j',
    (body) => {
      expect(traffic(body)).toEqual({ kind: 'unknown', reason: 'not-understood', status: 200 });
    },
  );

  it('is not looked into further where it is about a change, or about the connection', () => {
    const strange = { kind: 'unknown', reason: 'not-understood', status: 200 };
    expect(readReply('powerBoot', came({ data: { id: 7 } }), redact)).toEqual(strange);
    expect(readReply('connect', came([]), redact)).toEqual(strange);
  });
});
