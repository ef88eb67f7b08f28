import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { variables } from '../../src/config/variables.ts';
import { compose, kubernetesFiles, type Manifest, manifests, podOf } from '../helpers/deploy/manifests.ts';
import { root } from '../helpers/house.ts';
import { folder } from '../helpers/ledger/samples.ts';

/** The types are made from Kubernetes' own description of its interface. */
const typesOf = ({ apiVersion, kind }: Manifest): string => {
  const file = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('networking.k8s.io', 'networking');
  return `import(${JSON.stringify(join(root, 'node_modules/kubernetes-types', file))}).${kind}`;
};

/** What the compiler says of manifests as literals: it knows every key, and what it must be. */
function problemsOf(all: readonly Manifest[]): string {
  const dir = folder();
  const lines = all.map((each, at) => `export const _${at}: ${typesOf(each)} = ${JSON.stringify(each)};`);
  const file = join(dir, 'manifests.ts');
  writeFileSync(file, lines.join('\n'));
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', ''];
  return spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, file], { encoding: 'utf8' }).stdout;
}

describe('the manifests', () => {
  it('are what Kubernetes takes, to the letter', () => {
    expect(manifests().length).toBeGreaterThan(6);
    expect(problemsOf(manifests())).toBe('');
    const [first, ...others] = manifests().filter(({ kind }) => kind === 'Deployment');
    const wrong = JSON.stringify(first).replace('readOnlyRootFilesystem', 'readonlyRootFilesystem');
    expect(problemsOf([JSON.parse(wrong), ...others])).toContain(`'"readonlyRootFilesystem"' does not exist`);
  });

  it('are all in the kustomization', () => {
    const list = kubernetesFiles().find(({ path }) => path.endsWith('kustomization.yaml'));
    const { resources } = z.looseObject({ resources: z.array(z.string()) }).parse(list?.documents[0]);
    const there = kubernetesFiles().map(({ path }) => path.replace('deploy/kubernetes/', ''));
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(there);
  });

  it('keep the names of what is generated, so that a policy gets to the bot that runs', () => {
    const list = kubernetesFiles().find(({ path }) => path.endsWith('kustomization.yaml'));
    expect(list?.documents[0]).toMatchObject({
      namespace: 'panelops',
      generatorOptions: { disableNameSuffixHash: true },
      configMapGenerator: [{ name: 'panelops-policy' }, { name: 'panelops-settings' }],
      secretGenerator: [{ name: 'panelops' }, { name: 'valkey' }],
    });
  });
});

describe.each(['panelops', 'valkey'])('the pod of %s', (name) => {
  const pod = podOf(name);
  const [container] = pod.containers;

  it('is as restricted as Kubernetes can make it', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container).toMatchObject({
      resources: { requests: { memory: name === 'valkey' ? '128Mi' : '192Mi' }, limits: { memory: '512Mi' } },
    });
  });

  it('mounts what it is given read-only, with secrets for its own group alone', () => {
    const written = container.volumeMounts
      .filter(({ readOnly }) => readOnly !== true)
      .map(({ mountPath }) => mountPath);
    expect(written).toEqual(name === 'valkey' ? ['/data'] : []);
    const secret = { secretName: name === 'valkey' ? 'valkey' : 'panelops', defaultMode: 0o440 };
    expect(pod).toMatchObject({ volumes: expect.arrayContaining([{ name: 'secrets', secret }]) });
  });
});

describe('the pod of the bot', () => {
  const pod = podOf('panelops');
  const [container] = pod.containers;

  it('is the user of the image, with time to end in order', () => {
    expect(pod).toMatchObject({
      securityContext: { runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001 },
      terminationGracePeriodSeconds: 45,
    });
  });

  it('gets no variables that the bot would take for typing mistakes', () => {
    expect(pod).toMatchObject({ enableServiceLinks: false });
    const known: string[] = [...variables.map((each) => each.name), 'NODE_EXTRA_CA_CERTS'];
    expect(container.env.map((each) => each.name).filter((each) => !known.includes(each))).toEqual([]);
    const files = container.env.map(({ value }) => value).filter((value) => value.startsWith('/'));
    expect(files.map((path) => path.replace('/run/secrets/panelops/', ''))).toEqual(compose().services.bot.secrets);
  });

  it('is asked for its health, and has two minutes to start', () => {
    const get = (path: string) => ({ httpGet: { path, port: 'http' } });
    expect(container).toMatchObject({
      ports: [{ name: 'http', containerPort: 8137 }],
      startupProbe: { ...get('/livez'), periodSeconds: 5, failureThreshold: 24 },
      livenessProbe: get('/livez'),
      readinessProbe: get('/readyz'),
    });
  });

  it('has another one that stands by, also while another version starts', () => {
    const deployment = manifests().find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'panelops');
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    expect(deployment).toMatchObject({ spec: { replicas: 2, strategy } });
  });
});

describe('the Valkey in Kubernetes', () => {
  it('is the one of compose.yaml', () => {
    const [container] = podOf('valkey').containers;
    const { valkey } = compose().services;
    expect(container.image).toBe(valkey.image);
    expect(container.args.map((arg) => arg.replace('/run/secrets/valkey/', '/run/secrets/'))).toEqual(valkey.command);
  });
});

describe('the network', () => {
  const policies = manifests().filter(({ kind }) => kind === 'NetworkPolicy');

  it('is closed but for what is named', () => {
    expect(policies.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      ['nothing', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }],
      ['panelops', expect.objectContaining({ policyTypes: ['Ingress', 'Egress'] })],
      ['valkey', expect.objectContaining({ policyTypes: ['Ingress', 'Egress'] })],
    ]);
    // Valkey talks to nobody.
    expect(policies.at(-1)?.spec).not.toHaveProperty('egress');
  });
});
