import type { Reload } from '../app/reload.ts';
import type { Log } from '../outcome.ts';
import type { Configured } from './configure.ts';

/** Reads the configuration again and applies what may change while the bot runs. Applies nothing if there is a problem. */
export function reload({ reread }: Pick<Configured, 'reread'>, app: Reload, log: Log): void {
  const read = reread();
  if ('problems' in read) {
    const problems = read.problems.map(({ what, rule }) => `${what}: ${rule}`);
    log.error({ problems }, 'the configuration was read again and is wrong: the previous one stays in force');
    app.refuseConfiguration(problems);
    return;
  }
  for (const warning of read.warnings) log.warn({}, warning);
  if (read.restart.length > 0)
    log.warn(
      { variables: read.restart },
      'these variables changed: that needs a restart; until then the old values apply',
    );
  const { panel } = read.config;
  const changed = app.reconfigure({
    policy: read.policy,
    ...(panel.kind === 'real' ? { panelToken: panel.token } : {}),
  });
  const outcome =
    changed.length === 0 ? 'nothing that can change without a restart has changed' : 'in force from now on';
  log.info({ changed }, `the configuration was read again: ${outcome}`);
}
