import { joined, type Markup, md, serverName, shortName, trusted } from '../src/card.ts';
import { defineChange, type Option } from '../src/command.ts';
import { Invalid } from '../src/outcome.ts';
import { type Named, namedIn, nameOf, nearIn, suggestNamed } from './named.ts';
import { reason, server } from './options.ts';

/** Older ledgers have it as a number. */
const entry: Option<Named> = {
  type: 'string',
  description: 'The entry: a name from the policy, or its id in the panel, not the VLAN number',
  required: true,
  max: 40,
  suggest: ({ typed, team }) => suggestNamed(team.vlans, typed),
  read: (raw, { team, refuse }) =>
    namedIn(team.vlans, String(raw)) ??
    refuse(`write a whole number, 1 or more, or a name from the policy.${nearIn(team.vlans, String(raw))}`),
  write: ({ id }) => id,
};

const interfaceRef: Option<string> = {
  type: 'string',
  description: 'primary (when left out), secondary, or the ten-digit tag of the interface',
  example: 'secondary',
  max: 10,
  suggest: ({ typed }) =>
    ['primary', 'secondary'].filter((name) => name.startsWith(typed)).map((name) => ({ name, value: name })),
  read(raw, { refuse }) {
    const text = raw === undefined ? 'primary' : String(raw).trim();
    return /^(primary|secondary|\d{10})$/.test(text) ? text : refuse('write primary, secondary or a tag of ten digits');
  },
};

type Mode = 0 | 1 | 2;

const mode = (description: string): Option<Mode | undefined> => ({
  type: 'integer',
  description,
  choices: [0, 1, 2].map((value) => ({ name: String(value), value })),
  read: (raw, { refuse }) =>
    raw === undefined || raw === 0 || raw === 1 || raw === 2 ? raw : refuse('write 0, 1 or 2'),
});

interface Modes {
  'native-mode': Mode | undefined;
  trunk: Mode | undefined;
}

function changes(input: Modes): Markup[] {
  const native = input['native-mode'];
  return [
    ...(native === undefined ? [] : [trusted(`Native mode: ${native}, this VLAN only.`)]),
    ...(input.trunk === undefined ? [] : [trusted(`Trunk: ${input.trunk}, **all VLANs of that interface**.`)]),
  ];
}

const set = defineChange({
  id: 'vlan.set',
  danger: 'destructive',
  description: 'Set the native mode of a VLAN entry, or the trunk mode of its interface',
  example: '/vlan set server:web-1 vlan:7 native-mode:1',
  options: {
    server,
    vlan: entry,
    interface: interfaceRef,
    'native-mode': mode('0, 1 or 2; for this VLAN only'),
    trunk: mode('0, 1 or 2; for all VLANs of the interface'),
    reason,
  },
  check(input) {
    if (input['native-mode'] === undefined && input.trunk === undefined) {
      throw new Invalid('native-mode', 'give native-mode, trunk or both: there is nothing to set');
    }
  },
  endpoint: 'vlanSet',
  label: (input) => `Set VLAN entry ${nameOf(input.vlan)} of ${shortName(input.server)}`,
  fullLabel: (input) =>
    trusted(
      `Set VLAN entry ${nameOf(input.vlan)} of ${shortName(input.server)} · ${input.interface}: ${[
        ...(input['native-mode'] === undefined ? [] : [`native mode ${input['native-mode']}`]),
        ...(input.trunk === undefined ? [] : [`trunk ${input.trunk}`]),
      ].join(', ')}`,
    ),
  question: (input) => [
    md`VLAN entry ${trusted(nameOf(input.vlan))} of ${serverName(input.server)}, interface ${trusted(input.interface)}, will be changed now.`,
    joined(changes(input), ' '),
    trusted('**A wrong mode can cut the server off.**'),
  ],
  details: () => [
    trusted('The panel does not document what the modes 0, 1 and 2 mean.'),
    trusted('Not touched: its other interfaces, addresses and firewall.'),
  ],
  request: (target, input) => ({
    serverId: target.id,
    interfaceRef: input.interface,
    vlanId: input.vlan.id,
    ...(input['native-mode'] === undefined ? {} : { nativeMode: input['native-mode'] }),
    trunk: input.trunk,
  }),
  differs: (input, data) =>
    data === undefined ||
    ((input['native-mode'] ?? data.nativeMode) === data.nativeMode && (input.trunk ?? data.trunk) === data.trunk)
      ? undefined
      : `native mode ${data.nativeMode}, trunk ${data.trunk}`,
  done: (_target, input, data) => ({
    outcome: 'succeeded',
    says:
      data === undefined
        ? trusted('Changed. The details of the answer could not be read.')
        : trusted(
            `Entry ${nameOf(input.vlan)} (VLAN number ${data.vlanId}) now has native mode ${data.nativeMode}; its whole interface has trunk ${data.trunk}.`,
          ),
  }),
  noUndo: () => trusted('The bot cannot undo this: it cannot read what was set before.'),
  manualCheck: (target, input) =>
    md`To check: look at VLAN entry ${trusted(nameOf(input.vlan))} of ${serverName(target)}, interface ${trusted(input.interface)}, in the panel.`,
});

export const vlan = [set];
