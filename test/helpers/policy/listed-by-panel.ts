const rows = /\nservers:\n(?: {2}- .*\n)+/;

/** The example without its rows: all names come from the panel, but for web-1, and on-call may do more to web-* than to others. */
export const listedByPanel = (policy: string): string =>
  policy.replace(
    rows,
    `
servers:
  - { id: 101, name: web-1, tier: production }
inventory: { source: panel, preset: virtfusion }
tiers:
  - { group: 1, tier: production }
  - { group: 2, tier: internal }
  - { group: 3, tier: lab }
`,
  );
