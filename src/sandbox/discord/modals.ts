import type { Person } from './guild.ts';
import { ClientRefusal } from './refusal.ts';
import type { ModalBody } from './shapes.ts';
import type { World } from './world.ts';

interface ModalInput {
  customId: string;
  label: string;
  /** The initial text. */
  value: string;
  placeholder: string;
  required: boolean;
  minLength: number;
  maxLength: number;
  /** Accepts several lines. */
  paragraph: boolean;
}

/** An open modal, as its person sees it. */
export interface Modal {
  title: string;
  customId: string;
  channelId: string;
  inputs: ModalInput[];
}

/** The person's open modal. */
export function modalFor(world: World, person: Person): Modal | undefined {
  const open = world.modals.get(person.id);
  if (!open) return undefined;
  const { title, custom_id: customId, components } = open.body;
  return { title, customId, channelId: open.channelId, inputs: components.flatMap(inputsOf) };
}

function inputsOf(row: ModalBody['components'][number]): ModalInput[] {
  const inputs = row.component ? [row.component] : (row.components ?? []);
  return inputs
    .filter((input) => input.type === 4)
    .map((input) => ({
      customId: input.custom_id,
      label: row.component ? (row.label ?? '') : (input.label ?? ''),
      value: input.value ?? '',
      placeholder: input.placeholder ?? '',
      required: input.required ?? true,
      minLength: input.min_length ?? 0,
      maxLength: input.max_length ?? 4000,
      paragraph: input['style'] === 2,
    }));
}

/** The `data` of a modal submission. Plain text fills its only input. */
export function submission(modal: Modal, body: ModalBody, typed: string | Record<string, string>) {
  const values = typeof typed === 'string' ? intoOnly(modal, typed) : typed;
  for (const key of Object.keys(values)) {
    if (!modal.inputs.some((input) => input.customId === key)) {
      const known = modal.inputs.map((input) => input.customId).join(', ');
      throw new ClientRefusal(`${key}: "${modal.title}" has no such field. It has: ${known}.`);
    }
  }
  const valueIn = (customId: string): string => {
    const input = modal.inputs.find((one) => one.customId === customId);
    const value = values[customId] ?? input?.value ?? '';
    if (input) checkInput(input, value);
    return value;
  };
  let next = 0;
  const numberOf = (id: number | undefined) => id ?? ++next;
  const components = body.components.map((row) => {
    const id = numberOf(row.id);
    const part = ({ type, id: own, custom_id }: { type: number; id?: number | undefined; custom_id: string }) => {
      return { type, id: numberOf(own), custom_id, value: valueIn(custom_id) };
    };
    return row.component
      ? { type: row.type, id, component: part(row.component) }
      : { type: row.type, id, components: (row.components ?? []).map(part) };
  });
  return { custom_id: modal.customId, components };
}

function intoOnly(modal: Modal, text: string): Record<string, string> {
  const [input, second] = modal.inputs;
  if (!input || second) throw new ClientRefusal(`"${modal.title}" has ${modal.inputs.length} fields: say which.`);
  return { [input.customId]: text };
}

function checkInput(input: ModalInput, value: string): void {
  if (value === '') {
    if (input.required) throw new ClientRefusal(`${input.label}: This field is required.`);
  } else if (value.length < input.minLength || value.length > input.maxLength) {
    const range = `${input.minLength} to ${input.maxLength}`;
    throw new ClientRefusal(`${input.label}: must be ${range} characters long, and is ${value.length}.`);
  }
}
