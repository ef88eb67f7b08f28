#!/usr/bin/env node

import { waitForSlowAddresses } from './cli/slow-addresses.ts';

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
