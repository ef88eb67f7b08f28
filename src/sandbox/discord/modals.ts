import type { Person } from './guild.ts';
import { ClientRefusal } from './refusal.ts';
import type { ModalBody } from './shapes.ts';
import type { World } from './world.ts';

/** Discord's component types. */
const [SELECT, TEXT, RADIO] = [3, 4, 21];

interface ModalInput {
  customId: string;
  label: string;
  value: string;
  placeholder: string;
  required: boolean;
  minLength: number;
  maxLength: number;
  paragraph: boolean;
  /** What one of is chosen, instead of text. */
  options?: { value: string; label: string }[];
}

export interface Modal {
  title: string;
  customId: string;
  channelId: string;
  inputs: ModalInput[];
}

export function modalFor(world: World, person: Person): Modal | undefined {
  const open = world.modals.get(person.id);
  if (!open) return undefined;
  const { title, custom_id: customId, components } = open.body;
  return { title, customId, channelId: open.channelId, inputs: components.flatMap(inputsOf) };
}

function inputsOf(row: ModalBody['components'][number]): ModalInput[] {
  const inputs = row.component ? [row.component] : (row.components ?? []);
  return inputs
    .filter(({ type }) => type === TEXT || type === SELECT || type === RADIO)
    .map((input) => ({
      customId: input.custom_id,
      label: row.component ? (row.label ?? '') : (input.label ?? ''),
      value: input.value ?? '',
      placeholder: input.placeholder ?? '',
      required: input.required ?? true,
      minLength: input.min_length ?? 0,
      maxLength: input.max_length ?? 4000,
      paragraph: input['style'] === 2,
      ...(input.options && { options: input.options }),
    }));
}

/** The `data` of a modal submission. Plain text fills its only input; or chooses and fills: "It happened: seen in the panel". */
export function submission(modal: Modal, body: ModalBody, typed: string | Record<string, string>) {
  const values = typeof typed === 'string' ? intoInputs(modal, typed) : typed;
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
      const value = valueIn(custom_id);
      return { type, id: numberOf(own), custom_id, ...(type === SELECT ? { values: [value] } : { value }) };
    };
    return row.component
      ? { type: row.type, id, component: part(row.component) }
      : { type: row.type, id, components: (row.components ?? []).map(part) };
  });
  return { custom_id: modal.customId, components };
}

function intoInputs(modal: Modal, text: string): Record<string, string> {
  const choice = modal.inputs.find(({ options }) => options);
  if (choice) return choosing(modal, choice, text);
  const [input, second] = modal.inputs;
  if (!input || second) throw new ClientRefusal(`"${modal.title}" has ${modal.inputs.length} fields: say which.`);
  return { [input.customId]: text };
}

/** The option whose label the text begins with; what follows fills the other input. */
function choosing({ inputs }: Modal, { customId, label, options = [] }: ModalInput, text: string) {
  const chosen = options.find((option) => text.toLowerCase().startsWith(option.label.toLowerCase()));
  if (!chosen) throw new ClientRefusal(`${label}: begin with one of ${options.map((one) => one.label).join(', ')}.`);
  const other = inputs.find((input) => input.customId !== customId);
  const rest = text.slice(chosen.label.length).replace(/^[:,\s]+/, '');
  return { [customId]: chosen.value, ...(other && { [other.customId]: rest }) };
}

function checkInput(input: ModalInput, value: string): void {
  if (value === '') {
    if (input.required) throw new ClientRefusal(`${input.label}: This field is required.`);
  } else if (input.options) {
    if (!input.options.some((option) => option.value === value))
      throw new ClientRefusal(`${input.label}: no such choice.`);
  } else if (value.length < input.minLength || value.length > input.maxLength) {
    const range = `${input.minLength} to ${input.maxLength}`;
    throw new ClientRefusal(`${input.label}: must be ${range} characters long, and is ${value.length}.`);
  }
}
