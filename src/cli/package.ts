import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's own files are at the top. This file runs as dist/src/cli/package.js, and in tests as it is. */
const top = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../..' : '../../..', import.meta.url));

export const examplePolicy = join(top, 'policy.example.yaml');

export const versionOf = (): string => String(JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')).version);
