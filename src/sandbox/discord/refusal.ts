import type { FieldErrors } from './validate/index.ts';

/** An error answer of Discord's REST: a status, a JSON code and its message. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly extra: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: number,
    message: string,
    extra: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
    this.headers = headers;
  }
}

/** A refusal by a person's Discord client, before anything is sent: an unknown command, a missing option. */
export class ClientRefusal extends Error {
  override readonly name = 'ClientRefusal';
}

export const missingPermissions = () => new Refusal(403, 50013, 'Missing Permissions');
export const threadLocked = () => new Refusal(400, 160005, 'Thread is locked');
export const unreadableReply = () =>
  new Refusal(403, 160002, 'Cannot reply without permission to read message history');
export const systemMessage = () => new Refusal(403, 50021, 'Cannot execute action on a system message');
export const wrongPlace = () => new Refusal(400, 50024, 'Cannot execute action on this channel type');
export const unknownChannel = () => new Refusal(404, 10003, 'Unknown Channel');
export const unknownMessage = () => new Refusal(404, 10008, 'Unknown Message');
export const unknownWebhook = () => new Refusal(404, 10015, 'Unknown Webhook');
export const unknownInteraction = () => new Refusal(404, 10062, 'Unknown interaction');
export const emptyMessage = () => new Refusal(400, 50006, 'Cannot send an empty message');
export const invalidForm = (errors: FieldErrors) => new Refusal(400, 50035, 'Invalid Form Body', { errors });
