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
const at = fc.constantFrom(101, 103);
const what = fc.constantFrom(...changes);
export const held = fc.oneof(
  { weight: 2, arbitrary: fc.subarray([...ids]) },
  { weight: 3, arbitrary: fc.constant([ids[1]]) },
);
const is = <const T>(value: T): fc.Arbitrary<T> => fc.constant(value);
const button = fc.constantFrom(
  ...(['confirm', 'confirm', 'approve', 'approve', 'accept', 'accept', 'lead', 'lead', 'lead'] as const),
  ...(['cancel', 'glass', 'glass', 'review'] as const),
);
const presser = fc.oneof(who, is('requester'));
const ms = fc.constantFrom(60_000, 180_000, 900_000);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: is('types'), who, at, what }) },
  {
    weight: 12,
    arbitrary: fc.record({ does: is('presses'), who: presser, button, back: fc.constantFrom(0, 0, 0, 1) }),
  },
  { weight: 2, arbitrary: fc.record({ does: is('roles'), who, held }) },
  { weight: 1, arbitrary: fc.record({ does: is('policy'), rights }) },
  { weight: 1, arbitrary: fc.record({ does: is('waits'), ms }) },
  { weight: 1, arbitrary: is({ does: 'freezes' }) },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Pressing = Extract<Step, { does: 'presses' }>;
const presses = (by: Pressing['who'], pressed: Pressing['button']): Step => ({
  ...{ does: 'presses', who: by, button: pressed, back: 0 },
});

/** Somebody is denied, asks others, and one of them takes it on: by chance alone that is rare. */
const asksOthers = fc
  .record({ at, what, by: fc.constantFrom('carol', 'dora') })
  .map(({ by, ...asked }): Step[] => [
    { does: 'types', who: 'alice', ...asked },
    ...[presses('alice', 'lead'), presses(by, 'accept'), presses('requester', 'confirm')],
  ]);
/** Somebody asks and confirms, and anybody at all presses Approve. */
const wantsApproval = fc
  .record({ at, what, first: who, second: who })
  .map(({ first, second, ...asked }): Step[] => [
    { does: 'types', who: 'dora', ...asked },
    ...[presses('dora', 'confirm'), presses(first, 'approve'), presses(second, 'approve')],
  ]);
/** Somebody who waits, or was denied, goes on alone; and anybody at all closes the review. */
const breaksGlass = fc
  .record({ at, what, who, first: who, second: who })
  .map(({ first, second, ...asked }): Step[] => [
    { does: 'types', ...asked },
    ...[presses('requester', 'confirm'), presses('requester', 'glass'), presses('requester', 'confirm')],
    ...[presses(first, 'review'), presses(second, 'review')],
  ]);
export const history: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: step.map((one): Step[] => [one]) },
      { weight: 1, arbitrary: asksOthers },
      { weight: 1, arbitrary: wantsApproval },
      { weight: 2, arbitrary: breaksGlass },
    ),
    { minLength: 35, maxLength: 70 },
  )
  .map((parts) => parts.flat());
