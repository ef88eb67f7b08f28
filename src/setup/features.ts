import type { Policy } from '../policy/schema.ts';

interface Feature {
  what: string;
  isOn: boolean;
  /** How to turn it on. */
  how: string;
}

/** What the bot does with this policy, what it does not, and how to turn that on: a line each. */
export function features(policy: Policy, audit: string | undefined): { on: string[]; off: string[] } {
  const all = featuresOf(policy, audit);
  return {
    on: all.filter(({ isOn }) => isOn).map(({ what }) => what),
    off: all.filter(({ isOn }) => !isOn).map(({ what, how }) => `${what}: ${how}`),
  };
}

const featuresOf = (policy: Policy, audit: string | undefined): Feature[] => {
  const stops = policy.roles.some(({ allow }) => allow.some((each) => /^(?:freeze|hold)$/.test(each)));
  return [
    { what: 'a trail of everything that happens', isOn: audit !== undefined, how: 'AUDIT_CHANNEL_ID in .env' },
    {
      what: 'freezes and holds',
      isOn: stops,
      how: 'freeze, thaw, hold, release in `allow`',
    },
    { what: 'asking a lead after a denial', isOn: policy.askOthers !== false, how: 'ask-others: on' },
    {
      what: 'break-glass, reviewed afterwards',
      isOn: policy.roles.some((role) => role['break-glass'] === true),
      how: 'break-glass and allow-in-emergency at a role',
    },
    {
      what: 'a second person',
      isOn: policy.commands.some(({ approvals }) => approvals !== undefined),
      how: 'approvals: 1 in `commands`',
    },
    { what: 'seeing how a restore ends', isOn: policy.restoreStatus !== undefined, how: 'restore-status' },
    { what: 'the dates of backups in a restore', isOn: policy.backupList !== undefined, how: 'backup-list' },
    { what: 'seeing how power actions end', isOn: policy.queueStatus, how: 'queue-status: on' },
    { what: 'a pinned list of what is open', isOn: policy.handoverPin, how: 'handover-pin: on' },
  ];
};
