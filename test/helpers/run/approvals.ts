import fc from 'fast-check';

/** Two roles, of which each may do some of this, and what the policy asks for. */
export interface Rights {
  roles: readonly [readonly string[], readonly string[]];
  /** With break-glass. */
  emergency: readonly [readonly string[], readonly string[]];
  rows: readonly { match: string; production: boolean; approvals: number }[];
}
export const ids = ['1200000000000000001', '1200000000000000002'] as const;
export const tiers: Readonly<Record<number, string>> = { 101: 'production', 103: 'staging' };

const glassOf = (commands: readonly string[] = []): string =>
  commands.length === 0 ? '' : `, break-glass: true, allow-in-emergency: [${commands.join(', ')}]`;

export const textOf = ({ roles, emergency, rows }: Rights): string =>
  [
    'roles:',
    ...roles.map((allow, i) => {
      const may = ['read', ...allow].join(', ');
      return `  - { role: "${ids[i]}", name: role-${i}, allow: [${may}]${glassOf(emergency[i])} }`;
    }),
    'servers:',
    ...Object.entries(tiers).map(([id, tier]) => `  - { id: ${id}, name: web-${id}, tier: ${tier} }`),
    ...(rows.length === 0 ? [] : ['commands:']),
    ...rows.map(
      ({ match, production, approvals }) =>
        `  - { match: [${match}], approvals: ${approvals}${production ? ', tiers: [production]' : ''} }`,
    ),
    'ask-others: on',
  ].join('\n');

const changes = ['power.boot', 'power.shutdown'] as const;
export const people = ['alice', 'bob', 'carol', 'dora'] as const;
export type Name = (typeof people)[number];

export const rights: fc.Arbitrary<Rights> = fc.record({
  roles: fc.tuple(fc.subarray([...changes, 'approve', 'approve']), fc.constant([...changes, 'approve'])),
  emergency: fc.tuple(fc.subarray([...changes]), fc.subarray([...changes])),
  rows: fc.array(
    fc.record({
      match: fc.constantFrom(...changes, 'destructive'),
      production: fc.boolean(),
      approvals: fc.constantFrom(1, 1, 2),
    }),
    { maxLength: 2 },
  ),
});
const who = fc.constantFrom(...people);
export const held = fc.oneof(
  { weight: 2, arbitrary: fc.subarray([...ids]) },
  { weight: 3, arbitrary: fc.constant([ids[1]]) },
);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('types' as const),
      who,
      at: fc.constantFrom(101, 103),
      what: fc.constantFrom(...changes),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      does: fc.constant('presses' as const),
      who: fc.oneof(who, fc.constant('requester' as const)),
      button: fc.constantFrom(
        'confirm' as const,
        'confirm' as const,
        'approve' as const,
        'approve' as const,
        'accept' as const,
        'accept' as const,
        'lead' as const,
        'lead' as const,
        'lead' as const,
        'cancel' as const,
        'glass' as const,
        'glass' as const,
        'review' as const,
      ),
      back: fc.constantFrom(0, 0, 0, 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('roles' as const), who, held }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('policy' as const), rights }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('waits' as const), ms: fc.constantFrom(60_000, 180_000, 900_000) }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'freezes' as const }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Somebody is denied, asks others, and one of them takes it on: by chance alone that is rare. */
const asksOthers: fc.Arbitrary<Step[]> = fc
  .record({ at: fc.constantFrom(101, 103), what: fc.constantFrom(...changes), by: fc.constantFrom('carol', 'dora') })
  .map(({ at, what, by }) => [
    { does: 'types', who: 'alice', at, what },
    { does: 'presses', who: 'alice', button: 'lead', back: 0 },
    { does: 'presses', who: by, button: 'accept', back: 0 },
    { does: 'presses', who: 'requester', button: 'confirm', back: 0 },
  ]);
/** Somebody asks and confirms, and anybody at all presses Approve. */
const wantsApproval: fc.Arbitrary<Step[]> = fc
  .record({ at: fc.constantFrom(101, 103), what: fc.constantFrom(...changes), first: who, second: who })
  .map(({ at, what, first, second }) => [
    { does: 'types', who: 'dora', at, what },
    { does: 'presses', who: 'dora', button: 'confirm', back: 0 },
    { does: 'presses', who: first, button: 'approve', back: 0 },
    { does: 'presses', who: second, button: 'approve', back: 0 },
  ]);
/** Somebody who waits, or was denied, goes on alone; and anybody at all closes the review. */
const breaksGlass: fc.Arbitrary<Step[]> = fc
  .record({ at: fc.constantFrom(101, 103), what: fc.constantFrom(...changes), by: who, first: who, second: who })
  .map(({ at, what, by, first, second }) => [
    { does: 'types', who: by, at, what },
    { does: 'presses', who: 'requester', button: 'confirm', back: 0 },
    { does: 'presses', who: 'requester', button: 'glass', back: 0 },
    { does: 'presses', who: 'requester', button: 'confirm', back: 0 },
    { does: 'presses', who: first, button: 'review', back: 0 },
    { does: 'presses', who: second, button: 'review', back: 0 },
  ]);
export const history: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: step.map((one): Step[] => [one]) },
      { weight: 1, arbitrary: asksOthers },
      { weight: 1, arbitrary: wantsApproval },
      { weight: 2, arbitrary: breaksGlass },
    ),
    {
      minLength: 35,
      maxLength: 70,
    },
  )
  .map((parts) => parts.flat());
