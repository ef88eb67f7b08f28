import { z } from 'zod';
import { invalidForm } from './refusal.ts';

/**
 * The members of Discord's bodies that the sandbox reads; the validators check their values. Everything else passes
 * through.
 */

const text = z.string().nullish();

export const embedShape = z.looseObject({
  title: text,
  description: text,
  url: text,
  author: z.looseObject({ name: z.string() }).nullish(),
  footer: z.looseObject({ text: z.string() }).nullish(),
  fields: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
});
export type Embed = z.infer<typeof embedShape>;

const partShape = z.looseObject({
  type: z.number(),
  id: z.number().optional(),
  custom_id: z.string().optional(),
  label: text,
  style: z.number().optional(),
  disabled: z.boolean().nullish(),
  url: text,
  emoji: z.looseObject({ name: text }).nullish(),
});

export const rowShape = z.looseObject({
  type: z.number(),
  id: z.number().optional(),
  components: z.array(partShape).optional(),
});
export type Row = z.infer<typeof rowShape>;

const ids = z.array(z.string()).nullish();
const allowedMentionsShape = z.looseObject({
  parse: z.array(z.string()).nullish(),
  users: ids,
  roles: ids,
  replied_user: z.boolean().nullish(),
});
export type AllowedMentions = z.infer<typeof allowedMentionsShape>;

export const messageShape = z.looseObject({
  content: text,
  embeds: z.array(embedShape).nullish(),
  components: z.array(rowShape).nullish(),
  allowed_mentions: allowedMentionsShape.nullish(),
  flags: z.number().nullish(),
  nonce: z.union([z.string(), z.number()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  tts: z.boolean().nullish(),
  attachments: z
    .array(z.looseObject({ id: z.union([z.string(), z.number()]), filename: text, description: text }))
    .nullish(),
  message_reference: z.looseObject({ message_id: z.string(), fail_if_not_exists: z.boolean().nullish() }).nullish(),
});
export type Draft = z.infer<typeof messageShape>;

const count = z.number().nullish();

export const newThreadShape = z.looseObject({
  name: z.string(),
  type: count,
  auto_archive_duration: count,
  rate_limit_per_user: count,
});

export const threadChangeShape = z.looseObject({
  name: text,
  archived: z.boolean().nullish(),
  locked: z.boolean().nullish(),
  auto_archive_duration: count,
  rate_limit_per_user: count,
});
export type ThreadChange = z.infer<typeof threadChangeShape>;

export const callbackShape = z.looseObject({ type: z.number(), data: z.unknown().optional() });

export const choicesShape = z.looseObject({
  choices: z.array(z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]) })),
});

const inputShape = z.looseObject({
  type: z.number(),
  id: z.number().optional(),
  custom_id: z.string(),
  label: text,
  placeholder: text,
  value: text,
  required: z.boolean().nullish(),
  min_length: z.number().nullish(),
  max_length: z.number().nullish(),
  options: z.array(z.looseObject({ value: z.string(), label: z.string() })).optional(),
});

export const modalShape = z.looseObject({
  custom_id: z.string(),
  title: z.string(),
  components: z.array(
    z.looseObject({
      type: z.number(),
      id: z.number().optional(),
      label: text,
      description: text,
      components: z.array(inputShape).optional(),
      component: inputShape.optional(),
    }),
  ),
});
export type ModalBody = z.infer<typeof modalShape>;

const optionBase = z.looseObject({
  type: z.number(),
  name: z.string(),
  description: z.string(),
  required: z.boolean().optional(),
  choices: z.array(z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]) })).optional(),
  autocomplete: z.boolean().optional(),
  min_value: z.number().optional(),
  max_value: z.number().optional(),
  min_length: z.number().optional(),
  max_length: z.number().optional(),
});
export type CommandOption = z.infer<typeof optionBase> & { options?: CommandOption[] | undefined };
const optionShape: z.ZodType<CommandOption> = optionBase.extend({
  get options() {
    return z.array(optionShape).optional();
  },
});

export const commandsShape = z.array(
  z.looseObject({
    name: z.string(),
    type: z.number().default(1),
    description: z.string().default(''),
    options: z.array(optionShape).optional(),
    default_member_permissions: text,
    nsfw: z.boolean().default(false),
  }),
);
export type CommandBody = z.infer<typeof commandsShape>[number];

/** Parses a body; one with the wrong shape is refused with 50035, as by Discord. */
export function read<T>(shape: z.ZodType<T>, body: unknown): T {
  const result = shape.safeParse(body ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const leaf = { _errors: [{ code: 'BASE_TYPE_BAD_TYPE', message: issue?.message ?? 'This value has a wrong type.' }] };
  const path = (issue?.path ?? []).map(String);
  throw invalidForm(path.reduceRight<Parameters<typeof invalidForm>[0]>((inner, key) => ({ [key]: inner }), leaf));
}
