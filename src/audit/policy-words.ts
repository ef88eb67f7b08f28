import { policyFor } from '../app/rules.ts';

/**
 * Role names of the policy, by id, and its time zone. None, and UTC, if the policy is invalid: the ledger can be read
 * without it.
 */
export function policyWords(
  policyText: string,
  guild: string | undefined,
): { roleName(id: string): string | undefined; zone: string } {
  const read = policyFor(policyText, guild);
  if (!('policy' in read)) return { roleName: () => undefined, zone: 'UTC' };
  const { roles, timezone } = read.policy;
  return { roleName: (id) => roles.find(({ role }) => role === id)?.name, zone: timezone };
}
