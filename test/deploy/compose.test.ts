import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../src/config/variables.ts';
import { compose, composeText, type Service } from '../helpers/deploy/manifests.ts';
import { root } from '../helpers/house.ts';

const { services, secrets } = compose();
const { bot, valkey } = services;

describe('compose.yaml', () => {
  it('has the keys of the compose specification that it uses, and none that is misspelt', () => {
    expect(() => compose()).not.toThrow();
    expect(() => compose(composeText.replace('read_only: true', 'readonly: true'))).toThrow('readonly');
    expect(() => compose(composeText.replace('interval: 10s', 'interval: 10'))).toThrow('interval');
  });

  const hardened: [string, Service][] = [
    ['bot', bot],
    ['valkey', valkey],
  ];
  it.each(hardened)('gives %s no right beyond its own, and an end to its logs', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
      pids_limit: 100,
      mem_limit: '512m',
      logging: { options: { 'max-size': '10m', 'max-file': '5' } },
    });
    expect(service).not.toHaveProperty('privileged');
  });

  it('keeps the container of a bot that must not start again', () => {
    expect(bot.entrypoint).toEqual(['sh', '/opt/panelops/hold.sh', 'node', '/opt/panelops/dist/src/main.js']);
  });

  it('gives the bot more time to end than the 40 seconds that it may take', () => {
    expect(bot).toMatchObject({ stop_grace_period: '45s' });
  });

  it('shows the health of the bot to this machine alone, and Valkey to the bot alone', () => {
    expect(bot).toMatchObject({ ports: ['127.0.0.1:8137:8137'], networks: ['outside', 'inside'] });
    expect(valkey).toMatchObject({ networks: ['inside'] });
    expect(valkey).not.toHaveProperty('ports');
    expect(parse(composeText)).toMatchObject({ networks: { inside: { internal: true } } });
  });

  it('sets variables that the bot knows, and hands over secrets as files', () => {
    const known: string[] = [...variables.map(({ name }) => name), 'NODE_EXTRA_CA_CERTS'];
    expect(Object.keys(bot.environment).filter((name) => !known.includes(name))).toEqual([]);
    const files = Object.values(bot.environment).filter((value) => value.startsWith('/'));
    expect(files).toEqual(bot.secrets.map((name) => `/run/secrets/${name}`));
    const named = [...new Set([...bot.secrets, ...valkey.secrets])].sort();
    expect(Object.keys(secrets).sort()).toEqual(named);
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`secrets/${name}`);
    // Only the owner's: neither is in the repository.
    for (const name of ['secrets', 'config', 'panelops.env'])
      expect(existsSync(join(root, 'deploy', name))).toBe(false);
  });

  it('starts a Valkey of one exact version that keeps what it says it has', () => {
    expect(valkey.image).toMatch(/^valkey\/valkey:\d+\.\d+\.\d+-[a-z]+$/);
    const said = (valkey.command ?? []).join(' ');
    expect(said).toContain('--appendonly yes --appendfsync always --maxmemory-policy noeviction');
    expect(said).toContain('--port 0 --tls-port 6379');
    expect(said).not.toContain('requirepass');
  });
});
