import type { APIApplicationCommand, APIApplicationCommandOption } from 'discord-api-types/v10';
import { nearestOf } from '../../nearest.ts';

/** Discord's numbers for the kinds of options. */
export const kinds = {
  subcommand: 1,
  group: 2,
  text: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
} as const;

export interface Choice {
  name: string;
  value: string | number;
}

export interface Option {
  name: string;
  description: string;
  kind: number;
  required: boolean;
  completes: boolean;
  choices?: readonly Choice[];
  /** Limits of a number, or of a text's length. */
  min?: number;
  max?: number;
}

/** One slash command: `firewall flush` with its options, required ones first. */
export interface Offer {
  name: string;
  description: string;
  options: readonly Option[];
}

/** All slash commands and subcommands as one flat list, in alphabetical order. */
export function offersOf(commands: readonly APIApplicationCommand[]): Offer[] {
  return commands
    .filter((command) => command.type === 1)
    .flatMap((command) => flat(command.name, command.description, command.options ?? []))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const menuOf = (commands: readonly APIApplicationCommand[]): string[] =>
  commands.filter((command) => command.type === 3).map((command) => command.name);

function flat(name: string, description: string, options: readonly APIApplicationCommandOption[]): Offer[] {
  const below = options.filter((option) => option.type === kinds.subcommand || option.type === kinds.group);
  if (below.length > 0) {
    return below.flatMap((option) =>
      flat(`${name} ${option.name}`, option.description, 'options' in option ? (option.options ?? []) : []),
    );
  }
  const read = options.map(optionOf);
  return [
    { name, description, options: [...read.filter((one) => one.required), ...read.filter((one) => !one.required)] },
  ];
}

function optionOf(option: APIApplicationCommandOption): Option {
  const field = <T>(key: string, read: (value: unknown) => T | undefined): T | undefined =>
    read(Object.entries(option).find(([name]) => name === key)?.[1]);
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const min = field('min_value', number) ?? field('min_length', number);
  const max = field('max_value', number) ?? field('max_length', number);
  const choices = 'choices' in option ? option.choices : undefined;
  return {
    name: option.name,
    description: option.description,
    kind: option.type,
    required: option.required === true,
    completes: field('autocomplete', (value) => value === true) === true,
    ...(choices !== undefined && choices.length > 0 && { choices }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

/** Commands that match the text after the slash: by name first, then by description. */
export function offered(offers: readonly Offer[], typed: string): Offer[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const inName = (offer: Offer): boolean => words.every((word) => offer.name.includes(word));
  const inAll = (offer: Offer): boolean =>
    words.every((word) => `${offer.name} ${offer.description.toLowerCase()}`.includes(word));
  const starts = (offer: Offer): boolean => offer.name.startsWith(words.join(' '));
  const named = offers.filter(inName);
  return [
    ...named.filter(starts),
    ...named.filter((offer) => !starts(offer)),
    ...offers.filter((offer) => !inName(offer) && inAll(offer)),
  ];
}

/** Commands whose first word is nearly the one that was typed. */
export function nearOffers(offers: readonly Offer[], typed: string): Offer[] {
  const [first = '', ...rest] = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const firstOf = ({ name }: Offer): string => name.split(' ', 1)[0] ?? name;
  const near = nearestOf(first, offers.map(firstOf));
  const group = offers.filter((offer) => firstOf(offer) === near);
  const fitting = group.filter(({ name }) => rest.every((word) => name.includes(word)));
  return fitting.length === 0 ? group : fitting;
}
