import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copiesOf, lastStage, onlyOf } from '../helpers/deploy/dockerfile.ts';
import { compose, manifests } from '../helpers/deploy/manifests.ts';
import { blocksOf, documentOf } from '../helpers/docs/documents.ts';
import { root } from '../helpers/house.ts';

/** The lines for a shell of a page. No engine, cluster or systemd is here to run them: what they name is held instead. */
const linesOf = (path: string): string[] =>
  blocksOf(documentOf(path).text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trimEnd().split('\n'));

const pages = ['docker', 'kubernetes', 'systemd'].map((name) => `docs/deploy-${name}.md`);
const program = `${onlyOf(lastStage(), 'WORKDIR')}/dist/src/main.js`;

describe.each(pages)('the lines of %s', (path) => {
  const lines = linesOf(path);

  it('are what a shell can read', () => {
    expect(lines.length).toBeGreaterThan(8);
    const read = spawnSync('sh', ['-n'], { input: lines.join('\n'), encoding: 'utf8' });
    expect([read.status, read.stderr]).toEqual([0, '']);
  });

  it('name files that are there, and the program where it is put', () => {
    const named = lines.flatMap((line) => [...line.matchAll(/(?<![\w/])deploy\/[\w./-]+/g)].map(([each]) => each));
    expect(named.filter((each) => !existsSync(join(root, each)))).toEqual([]);
    const programs = lines.flatMap((line) => [...line.matchAll(/\S+\/main\.js/g)].map(([each]) => each));
    expect(programs.filter((each) => each !== program)).toEqual([]);
    const scripts = lines.filter((line) => line.includes('valkey-secrets.sh'));
    expect(scripts.filter((line) => !/^sh (?:\.\.\/)?valkey-secrets\.sh secrets valkey$/.test(line))).toEqual([]);
  });
});

describe('docs/deploy-docker.md', () => {
  const { text } = documentOf('docs/deploy-docker.md');
  const { services, secrets } = compose();

  it('names the services and the image of compose.yaml', () => {
    expect(linesOf('docs/deploy-docker.md')[0]).toBe(`docker build -f deploy/Dockerfile -t ${services.bot.image} .`);
    const named = [...text.matchAll(/docker compose (?:restart|logs|exec|up -d --force-recreate) (\w+)/g)];
    expect(named.map(([, service]) => service)).toEqual(['bot', 'bot', 'bot', 'bot']);
  });

  it('gives each secret to the user who reads it', () => {
    const chown = (user: string): string[] =>
      linesOf('docs/deploy-docker.md')
        .filter((line) => line.startsWith(`sudo chown ${user} `))
        .flatMap((line) => line.split(' ').slice(3));
    const [bot = ''] = onlyOf(lastStage(), 'USER').split(':');
    expect(services.valkey).toMatchObject({ user: '999:999' });
    // The certificate is no secret, and is for both.
    const readBy = (names: readonly string[]): string[] =>
      names.filter((name) => name !== 'valkey.crt').map((name) => secrets[name]?.file ?? '');
    expect(chown(bot).sort()).toEqual(readBy(services.bot.secrets).sort());
    expect(chown('999').sort()).toEqual(readBy(services.valkey.secrets).sort());
  });
});

describe('docs/deploy-systemd.md', () => {
  it('leads through setup, and then check as the bot, before the first start', () => {
    const lines = linesOf('docs/deploy-systemd.md');
    const at = (words: string): number => lines.findIndex((line) => line.includes(words));
    const order = [
      'main.js setup',
      'runuser -u panelops -- node /opt/panelops/dist/src/main.js check',
      'systemctl enable',
    ];
    expect(order.map(at)).not.toContain(-1);
    expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b));
  });

  it('installs what the image has, without what is for containers alone', () => {
    const [, installed = ''] = /^cp -r (.*) \/opt\/panelops$/m.exec(linesOf('docs/deploy-systemd.md').join('\n')) ?? [];
    const copied = copiesOf(lastStage()).flatMap(({ what, to }) => (to === './' ? what : [to.replace(/\/.*/, '')]));
    const here = [...new Set(copied)].filter((name) => name !== 'deploy/hold.sh');
    expect(installed.split(' ')).toEqual(here.sort());
  });
});

describe('docs/deploy-kubernetes.md', () => {
  it('names what the manifests make', () => {
    const made = manifests().map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
    const named = linesOf('docs/deploy-kubernetes.md').flatMap((line) =>
      [...line.matchAll(/(?:deployment|statefulset)\/[\w-]+/g)].map(([each]) => each),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((each) => !made.includes(each))).toEqual([]);
    for (const line of linesOf('docs/deploy-kubernetes.md').filter((each) => /^kubectl (?!apply|kustomize)/.test(each)))
      expect(line).toContain(' -n panelops ');
  });
});
