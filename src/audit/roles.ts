import { policyFor } from '../app/rules.ts';

/** The policy's names for roles, by id. A policy that the bot would not start with has none: the ledger can be read without it. */
export function roleNames(policyText: string, guild: string): (id: string) => string | undefined {
  const read = policyFor(policyText, guild);
  return (id) => ('policy' in read ? read.policy.roles.find(({ role }) => role === id)?.name : undefined);
}
