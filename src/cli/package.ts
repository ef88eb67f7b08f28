import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This file runs as dist/src/cli/package.js; the package's own files are at the top. */
const top = fileURLToPath(new URL('../../..', import.meta.url));

export const examplePolicy = join(top, 'policy.example.yaml');

export const versionOf = (): string => String(JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')).version);
