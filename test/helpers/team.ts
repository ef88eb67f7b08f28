import type { Team } from '../../src/command.ts';

/** A policy that says nothing of how the team writes things. */
export const team: Team = { zone: 'UTC', rulesets: {}, vlans: {}, tiers: ['production'] };
