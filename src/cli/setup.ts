import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sparingly } from '../app/inventory.ts';
import { policyFor } from '../app/rules.ts';
import { readCertificates } from '../config/file.ts';
import { probeDiscord } from '../discord/probe.ts';
import type { Found } from '../inventory/list.ts';
import { walkServers } from '../inventory/panel.ts';
import { createPanel } from '../panel/client.ts';
import { probePanelAt } from '../panel/probe.ts';
import { fieldsOf } from '../policy/source.ts';
import { Stopped, wrapped } from '../setup/ask.ts';
import type { PanelAnswers } from '../setup/ask-panel.ts';
import { find, type ReadPolicy } from '../setup/found.ts';
import { setup } from '../setup/index.ts';
import { NotSaved } from '../setup/save.ts';
import { readConfiguration } from './configure.ts';
import { exitCodes, fail, type Host } from './host.ts';

/** `panelops setup`. Returns the exit code. */
export async function runSetup(host: Host): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    fail(
      'setup asks questions: run it in a terminal. Without one, docs/install.md says what to write by hand.',
      exitCodes.configuration,
    );
  const found = find(host.cwd(), host.env, readPolicy);
  const leave = reportUntouched();
  try {
    const left = await setup({
      found,
      cwd: host.cwd(),
      probeDiscord: (token, guild) => probeDiscord({ token, guild, apiUrl: found.apiUrl }),
      probePanel: probePanelAt,
      listServers: (panel) => listServers(host, panel),
      readPolicy,
      onWrite: leave,
    });
    leave();
    return reportNextSteps(host, left);
  } catch (error) {
    if (error instanceof Stopped) return exitCodes.fault;
    if (!(error instanceof NotSaved)) throw error;
    return fail(error.message, exitCodes.fault);
  }
}

async function listServers({ cwd }: Host, { url, token, caFile }: PanelAnswers): Promise<Found[]> {
  const read = caFile === undefined ? undefined : readCertificates(resolve(cwd(), caFile));
  const panel = createPanel({ url, token, ca: read !== undefined && 'value' in read ? read.value : undefined });
  try {
    const fields = fieldsOf({ source: 'panel', preset: 'virtfusion' });
    // Nothing else uses the token for the bot yet.
    return await walkServers(sparingly(panel, delay, 1), fields);
  } finally {
    await panel.close();
  }
}

const readPolicy: ReadPolicy = (text, guild) => {
  const read = policyFor(text, guild);
  return 'policy' in read ? read : { problems: read.problems.map(({ place, rule }) => `${place}: ${rule}`) };
};

/** Says that nothing was written if the process ends before the returned function is called, as at Ctrl-C. */
function reportUntouched(): () => void {
  const onExit = (): void => {
    process.exitCode = exitCodes.fault;
    process.stdout.write('\nStopped. Nothing was written: all files are as they were.\n');
  };
  const onSignal = (): never => process.exit(exitCodes.fault);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  process.on('exit', onExit);
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    process.off('exit', onExit);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/** Reads the new configuration as the start does, and prints what is `left` to do. */
function reportNextSteps(host: Host, left: readonly string[]): number {
  const { warnings } = readConfiguration(host);
  const todo = [...left, ...warnings].map((line) => `\n  - ${line}`);
  host.stdout.write(`
The configuration is valid.${todo.length === 0 ? '' : ` Still to be done:\n${wrapped(todo.join(''))}\n`}

Next:
  1. Start the bot: npm start, or panelops start where that is installed.
     It says "ready" once it serves.
  2. Type /panel check in Discord. panelops check checks the same from here.
A bot that is already running reads the policy and the panel's token on SIGHUP,
and the rest when it restarts.
`);
  return 0;
}
