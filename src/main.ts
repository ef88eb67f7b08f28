#!/usr/bin/env node

import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { setFlagsFromString } from 'node:v8';

// By itself, V8 collects only once the heap is several times what is in use: 400 MiB for 90, on a machine that others share.
setFlagsFromString('--heap-growing-percent=80');
// Before anything is loaded: a reload that comes too early must not end the process. The start reads its files later.
process.on('SIGHUP', () => undefined);
// Node gives each address of a host 250 ms before it tries the next one as well, and drops what answers later: where the
// first is dead and the others are far, nothing connects. Holds for Discord, the panel, Redis and traces alike.
setDefaultAutoSelectFamilyAttemptTimeout(2_000);
const { faults, stopOnFault } = await import('./cli/fault.ts');
const { versionOf } = await import('./cli/host.ts');
const { runProgram } = await import('./cli/program.ts');

for (const event of faults) process.on(event, stopOnFault);
const { stdin: input, stdout: output } = process;
const keyboard = () => (input.isTTY && output.isTTY ? { input, output } : undefined);
process.exitCode = await runProgram(process.argv.slice(2), versionOf(), Object.assign(process, { keyboard }));
