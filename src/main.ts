#!/usr/bin/env node

import { setFlagsFromString } from 'node:v8';
import { waitForSlowAddresses } from './cli/slow-addresses.ts';

// By itself, V8 collects only once the heap is several times what is in use: 400 MiB for 90, on a machine that others share.
setFlagsFromString('--heap-growing-percent=80');
// Before anything is loaded: a reload that comes too early must not end the process. The start reads its files later.
process.on('SIGHUP', () => undefined);
waitForSlowAddresses();
const { faults, stopOnFault } = await import('./cli/fault.ts');
const { versionOf } = await import('./cli/package.ts');
const { runProgram } = await import('./cli/program.ts');

for (const event of faults) process.on(event, stopOnFault);
const { stdin: input, stdout: output } = process;
const keyboard = () => (input.isTTY && output.isTTY ? { input, output } : undefined);
process.exitCode = await runProgram(process.argv.slice(2), versionOf(), Object.assign(process, { keyboard }));
