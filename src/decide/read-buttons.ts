import type { Button } from '../card.ts';
import { button } from '../cards/buttons.ts';
import type { Command, Position, PreparedLocal, PreparedRead, View, ViewOffer } from '../command.ts';

/** Discord's limit for a custom id, in characters. */
export const maxIdLength = 100;

/** The buttons of what was read: its pages, the next steps, and Share if the person may post it. */
export function readButtons(
  commands: readonly Command[],
  command: Command,
  prepared: PreparedRead | PreparedLocal,
  { previous, next, offers = [], includes = [] }: View,
  isPosted: boolean,
): Button[] {
  return [
    ...(previous === undefined ? [] : [button('Previous', 'page', pagePayload(command, previous))]),
    ...(next === undefined ? [] : [button('Next', 'page', pagePayload(command, next))]),
    ...offers.flatMap((offer) => offerButton(commands, offer)),
    ...(isPosted ? [button('Share', 'share', sharePayload(command, prepared, includes))] : []),
  ].filter(({ id }) => id.length <= maxIdLength);
}

function offerButton(commands: readonly Command[], offer: ViewOffer): Button[] {
  if ('run' in offer) return [button(offer.label, offer.does, offer.run)];
  const { step, does } = offer;
  const command = commands.find(({ id }) => id === step.command);
  return command === undefined
    ? []
    : [
        button(
          offer.label,
          does === 'show' ? 'page' : 'trial',
          pagePayload(command, { options: step.options, part: 0 }),
        ),
      ];
}

/** The command, its servers, and by their place in `gathers` the commands whose answers it has. */
const sharePayload = (
  { id, gathers = [] }: Command,
  { servers }: PreparedRead | PreparedLocal,
  includes: readonly string[],
): string => {
  const shared = `${id}:${servers.map((server) => server.id).join(',')}`;
  const places = includes.map((each) => gathers.indexOf(each)).filter((at) => at >= 0);
  return places.length === 0 ? shared : `${shared}:${places.join('.')}`;
};

/** The commands whose answers somebody wants to share, and the servers, as typed. Undefined if there is no such command. */
export function readSharePayload(
  commands: readonly Command[],
  payload: string,
): { command: Command; includes: readonly Command[]; servers: readonly string[] } | undefined {
  const [id, servers = '', places = ''] = payload.split(':');
  const command = commands.find((each) => each.id === id);
  if (command === undefined) return undefined;
  const ids = places.split('.').flatMap((at) => (at === '' ? [] : (command.gathers?.[Number(at)] ?? [])));
  return { command, includes: commands.filter((each) => ids.includes(each.id)), servers: servers.split(',') };
}

/** The target of a page button: `hypervisors.resources?1&7`, the part, then the options in order, choices by index. */
export function pagePayload(command: Command, { options, part }: Position): string {
  const values = Object.entries(command.options).map(([name, { choices }]) => {
    const value = options[name];
    if (value === undefined) return '';
    return choices === undefined
      ? // Addresses are full of these two, and neither has a meaning here.
        encodeURIComponent(value).replaceAll('%3A', ':').replaceAll('%2F', '/')
      : String(choices.findIndex((each) => each.value === value));
  });
  return `${command.id}?${[part, ...values].join('&').replace(/&+$/, '')}`;
}

/** The command, options and part of a page button. Undefined if the id is not valid. */
export function readPagePayload(
  commands: readonly Command[],
  payload: string,
): { command: Command; options: Record<string, string | number>; part: number } | undefined {
  const [id = '', query = ''] = payload.split('?');
  const command = commands.find((each) => each.id === id);
  if (command === undefined) return undefined;
  const [first = '', ...values] = query.split('&');
  if (!/^\d{1,9}$/.test(first) || values.length > Object.keys(command.options).length) return undefined;
  const options = Object.entries(command.options).flatMap(([name, { type, choices }], at) => {
    const text = values[at] ?? '';
    if (text === '') return [];
    const value = choices === undefined ? plainOf(text) : choices[Number(text)]?.value;
    return value === undefined ? [] : [[name, type === 'integer' ? Number(value) : value] as const];
  });
  return { command, options: Object.fromEntries(options), part: Number(first) };
}

/** Undefined if the text is not valid. */
function plainOf(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
