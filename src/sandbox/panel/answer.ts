import type { z } from 'zod';

/** An answer of the panel: a string body is sent as text, anything else as JSON, nothing if missing. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Thrown to refuse a request; carries the answer. Nothing has been changed when it is thrown. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

/** Refuses with `{errors: [message]}`. */
export function refuse(status: number, message: string): never {
  throw new Refusal({ status, body: { errors: [message] } });
}

/** Refuses with 422 and `{errors: {field: [message]}}`. */
export function refuseFields(fields: Record<string, string[]>): never {
  throw new Refusal({ status: 422, body: { errors: fields } });
}

/** Refuses with plain text, as the restore endpoint does. */
export function refuseText(status: number, message: string): never {
  throw new Refusal({ status, body: message });
}

/** Messages by field; a key unknown to the schema is a field of its own. */
export function fieldErrors(error: z.ZodError): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.') || 'body'];
    const message = issue.code === 'unrecognized_keys' ? 'This field is not known.' : issue.message;
    for (const name of names) fields[name] = [...(fields[name] ?? []), message];
  }
  return fields;
}

/** The parsed value; otherwise 422 with messages by field. A missing body counts as an empty object. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value ?? {});
  return result.success ? result.data : refuseFields(fieldErrors(result.error));
}
