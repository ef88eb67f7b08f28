import { policyFor } from '../app/rules.ts';

/** Role names of the policy, by id. Empty if the policy is invalid: the ledger can be read without it. */
export function roleNames(policyText: string, guild: string): (id: string) => string | undefined {
  const read = policyFor(policyText, guild);
  return (id) => ('policy' in read ? read.policy.roles.find(({ role }) => role === id)?.name : undefined);
}
