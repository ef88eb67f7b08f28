import { describe, expect, it } from 'vitest';
import { answersIn, limit, requirements } from '../../src/policy/decide.ts';
import { command, decide, example, guild, lead, onCall, policyOf, viewer } from '../helpers/policy/known.ts';

const policy = policyOf(example);

function ask(roles: string[], id: string, server?: { id: number; name?: string }, of = policy) {
  return decide(of, { roles, command: command(id), server });
}

describe('who may run a command', () => {
  it('allows by danger, and says by which role and rule', () => {
    expect(ask([viewer], 'firewall.show', { id: 201 })).toEqual({ allowed: true, role: 'viewer', by: 'read' });
  });

  it('names the first rule of a role that allows', () => {
    expect(ask([onCall], 'power.boot', { id: 101 })).toEqual({ allowed: true, role: 'on-call', by: 'write' });
  });

  it('names the first role in the order of the file, whatever order the person has them in', () => {
    expect(ask([lead, onCall], 'power.boot', { id: 101 })).toMatchObject({ role: 'on-call' });
    expect(ask([onCall, lead], 'power.boot', { id: 101 })).toMatchObject({ role: 'on-call' });
  });

  it('denies whoever has no role, and names the roles that may', () => {
    expect(ask([], 'power.boot')).toEqual({
      allowed: false,
      why: 'role',
      missing: 'power.boot',
      holders: ['on-call', 'lead'],
    });
  });

  it('says that it is the server where the command itself is allowed', () => {
    expect(ask([onCall], 'power.boot', { id: 201, name: 'lab-1' })).toEqual({
      allowed: false,
      why: 'server',
      missing: 'power.boot',
      holders: ['lead'],
      server: { id: 201, name: 'lab-1' },
    });
  });

  it('gives help and can to everyone', () => {
    const everyone = { allowed: true, role: 'everyone', by: 'everyone' };
    expect(ask([], 'help')).toEqual(everyone);
    expect(ask([], 'can', { id: 999 })).toEqual(everyone);
  });
});

describe('which servers a role reaches', () => {
  it('judges a server by its id and takes the name from the policy', () => {
    expect(ask([onCall], 'power.boot', { id: 201, name: 'web-1' })).toMatchObject({ allowed: false, why: 'server' });
    expect(ask([onCall], 'power.boot', { id: 301, name: 'lab-1' })).toMatchObject({ allowed: true });
  });
});

describe('servers that are not listed', () => {
  const withUnlisted = (unlisted: string) =>
    policyOf(example.replace('unlisted: nothing', `unlisted: ${unlisted}`).replace('"web-*", 100-199', '"*", 100-199'));

  it('denies them to all when nothing may be done to them', () => {
    expect(ask([lead], 'firewall.show', { id: 150 })).toEqual({
      allowed: false,
      why: 'unlisted',
      missing: 'firewall.show',
      holders: [],
      server: { id: 150 },
    });
  });

  it('says role and not unlisted to a person who may not run the command anywhere', () => {
    expect(ask([viewer], 'power.boot', { id: 150 })).toMatchObject({ why: 'role', holders: [] });
  });

  it('allows only reads where read is written', () => {
    expect(ask([lead], 'firewall.show', { id: 999 }, withUnlisted('read'))).toMatchObject({ allowed: true });
    expect(ask([lead], 'power.boot', { id: 999 }, withUnlisted('read'))).toMatchObject({
      why: 'unlisted',
      holders: [],
    });
  });

  it('lets whoever may look into the ledger look at what was done to them: looking does nothing to a server', () => {
    const audit = { id: 'audit.history', danger: 'audit' as const };
    const may = (role: string) => decide(policyOf(example), { roles: [role], command: audit, server: { id: 999 } });
    expect([lead, onCall].map((role) => may(role).allowed)).toEqual([true, false]);
  });

  it('lets a role with servers reach them by range, and never by a glob or a name that was handed in', () => {
    expect(ask([onCall], 'power.boot', { id: 150 }, withUnlisted('all'))).toMatchObject({ allowed: true });
    const handedIn = { id: 999, name: 'web-1' };
    expect(ask([onCall], 'power.boot', handedIn, withUnlisted('all'))).toMatchObject({
      why: 'server',
      holders: ['lead'],
    });
  });
});

describe('what is asked for', () => {
  it('asks to confirm what is destructive, and nothing else by default', () => {
    expect(requirements(policy, command('power.poweroff'))).toEqual({ confirm: true, typed: false, reason: false });
    expect(requirements(policy, command('power.boot'))).toEqual({ confirm: false, typed: false, reason: false });
  });

  it('adds what the rows ask for', () => {
    expect(requirements(policy, command('ipv4.assign'))).toEqual({ confirm: true, typed: false, reason: false });
    expect(requirements(policy, command('backup.restore'))).toEqual({ confirm: true, typed: true, reason: true });
  });

  it('asks to confirm where only a typed name is asked for, because typing it is confirming', () => {
    const typed = policyOf(`${example.replace('confirm: true', 'typed: true')}`);
    expect(requirements(typed, command('ipv4.assign'))).toEqual({ confirm: true, typed: true, reason: false });
  });

  it('adds up several rows, and never asks about what only reads', () => {
    const rows = `commands:
  - { match: ["firewall.*"], reason: required }
  - { match: [write], confirm: true }
`;
    const strict = policyOf(example.replace(/commands:\n(.*\n){2}/, rows));
    expect(requirements(strict, command('firewall.enable'))).toEqual({ confirm: true, typed: false, reason: true });
    expect(requirements(strict, command('firewall.flush'))).toEqual({ confirm: true, typed: false, reason: true });
    expect(requirements(strict, command('firewall.show'))).toEqual({ confirm: false, typed: false, reason: false });
  });

  it('limits an amount, or how broad a network is, where a limit is set', () => {
    const bounded = policyOf(
      example.replace('ipv4.assign: 8', 'ipv4.assign: 8, whitelist.add: { ipv4: 24, ipv6: 48 }'),
    );
    expect(limit(bounded, 'whitelist.add')).toEqual({ ipv4: 24, ipv6: 48 });
    expect(limit(policy, 'ipv4.assign')).toBe(8);
    expect(limit(policy, 'traffic.add')).toBeUndefined();
    expect(limit(policy, 'constructor')).toBeUndefined();
  });
});

describe('where commands are answered', () => {
  const channel = '1300000000000000001';
  const other = '1300000000000000002';

  it('answers in the named channels and their threads', () => {
    expect(answersIn(policy, { guild, channel })).toBe(true);
    expect(answersIn(policy, { guild, channel: other, parent: channel })).toBe(true);
    expect(answersIn(policy, { guild, channel: other })).toBe(false);
    expect(answersIn(policy, { guild, channel: other, parent: other })).toBe(false);
  });

  it('answers in all of the guild when no channel is named, and in no other guild', () => {
    const everywhere = policyOf(example.replace(/^channels: .*\n/, ''));
    expect(answersIn(everywhere, { guild, channel: other })).toBe(true);
    expect(answersIn(everywhere, { guild: '1100000000000000002', channel: other })).toBe(false);
    expect(answersIn(policy, { guild: '1100000000000000002', channel })).toBe(false);
  });
});

describe('in an emergency', () => {
  const glass = policyOf(
    example
      .replace(/(name: on-call,\s+allow: \[[^\]]*\],)/, '$1 break-glass: true, allow-in-emergency: [backup.restore],')
      .replace('allow: ["*"]', 'allow: ["*", approve]'),
  );
  const inEmergency = (roles: string[], id: string, server?: { id: number }) =>
    decide(glass, { roles, command: command(id), emergency: true, server });

  it('allows what the role has for it, on its servers, and says by which rule', () => {
    expect(inEmergency([onCall], 'backup.restore', { id: 101 })).toEqual({
      ...{ allowed: true, role: 'on-call', by: 'backup.restore' },
    });
    expect(inEmergency([onCall], 'backup.restore', { id: 201 })).toMatchObject({ allowed: false, why: 'server' });
    expect(ask([onCall], 'backup.restore', { id: 101 }, glass)).toMatchObject({ allowed: false });
  });

  it('allows nothing that is in `allow` alone, and nobody who has no such list', () => {
    expect(inEmergency([onCall], 'power.boot', { id: 101 })).toMatchObject({ allowed: false });
    expect(inEmergency([lead], 'backup.restore', { id: 101 })).toMatchObject({ allowed: false, holders: ['on-call'] });
  });
});
