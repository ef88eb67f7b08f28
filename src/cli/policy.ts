import { matrixCsv, matrixText } from '../app/matrix.ts';
import { describeProblems, variables } from '../config.ts';
import { lookAtConfiguration } from './configure.ts';
import { exitCodes, fail, type Host } from './host.ts';

/** `panelops policy`: who may what. It needs no more of the configuration than the policy. */
export function printPolicy(host: Host, file: string | undefined, { csv = false }: { csv?: boolean }): void {
  const env = file === undefined ? host.env : { ...host.env, POLICY_FILE: file };
  const { policy, problems } = lookAtConfiguration({ ...host, env, cwd: () => host.cwd() });
  const others: string[] = variables.map(({ name }) => name).filter((name) => name !== 'POLICY_FILE');
  if (policy !== undefined) host.stdout.write(csv ? matrixCsv(policy) : matrixText(policy));
  else fail(describeProblems(problems.filter(({ what }) => !others.includes(what))), exitCodes.configuration);
}
