// Builds what is missing, and then runs the program in this process, with the arguments that it was given.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isBuilt } from './is-built.mjs';

const parent = process.ppid;
if (!isBuilt()) {
  // What the program prints may be read by another program: what the build says goes to standard error.
  process.stderr.write('Building, once: half a minute.\n');
  const [code] = await once(spawn('npm run --silent build', { shell: true, stdio: ['ignore', 2, 2] }), 'exit');
  if (code !== 0) process.exit(code ?? 1);
  // Somebody stopped npm meanwhile.
  if (process.ppid !== parent) process.exit(1);
}
await import(new URL('../dist/src/main.js', import.meta.url).href);
