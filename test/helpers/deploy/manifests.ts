import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readRoot, root } from '../house.ts';

const words = z.array(z.string());
const time = z.string().regex(/^\d+s$/);

/**
 * A service of deploy/compose.yaml: the keys of the compose specification that it uses, and no others. Compose refuses a
 * misspelt one; what takes none, such as a volume's or a port's form, is a text.
 */
const service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  entrypoint: words.optional(),
  command: words.optional(),
  user: z.string().optional(),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: words,
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  healthcheck: z.strictObject({ test: words, interval: time, timeout: time, retries: z.int() }).optional(),
  networks: words,
  ports: words.optional(),
  volumes: words,
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  stop_grace_period: time,
  read_only: z.boolean(),
  cap_drop: words,
  security_opt: words,
  pids_limit: z.int(),
  mem_limit: z.string(),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()) }),
});
export type Service = z.infer<typeof service>;
const composeFile = z.strictObject({
  name: z.string(),
  services: z.strictObject({ bot: service, valkey: service }),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.strictObject({})),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

export const composeText = readRoot('deploy/compose.yaml');

export const compose = (text = composeText) => composeFile.parse(parse(text, { merge: true }));

const mount = z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() });
const container = z.looseObject({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  volumeMounts: z.array(mount),
  securityContext: z.unknown(),
});
const pod = z.looseObject({ containers: z.tuple([container]), securityContext: z.unknown() });

/** A manifest below deploy/kubernetes, as far as tests read it. */
const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({ template: z.looseObject({ spec: pod }).optional() }).optional(),
});
export type Manifest = z.infer<typeof manifest>;

/** YAML 1.1, which Kubernetes reads: 0440 is a mode there. */
export const kubernetesFiles = (): { path: string; documents: unknown[] }[] =>
  readdirSync(join(root, 'deploy/kubernetes'))
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const path = `deploy/kubernetes/${name}`;
      return {
        path,
        documents: [parseAllDocuments(readRoot(path), { version: '1.1' })].flat().map((document) => {
          if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`);
          return document.toJS();
        }),
      };
    });

/** Everything for the cluster, without the kustomization. */
export const manifests = (): Manifest[] =>
  kubernetesFiles()
    .filter(({ path }) => !path.endsWith('kustomization.yaml'))
    .flatMap(({ documents }) => documents.map((document) => manifest.parse(document)));

/** The pod of a Deployment or StatefulSet. */
export function podOf(name: string) {
  const found = manifests().find(({ metadata, spec }) => metadata.name === name && spec?.template !== undefined);
  const spec = found?.spec?.template?.spec;
  if (spec === undefined) throw new Error(`there are no pods of ${name}`);
  return spec;
}
