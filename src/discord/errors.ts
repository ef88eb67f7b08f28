import { DiscordAPIError, HTTPError, RESTJSONErrorCodes } from 'discord.js';
import { type Card, trusted } from '../card.ts';
import { ChannelClosed, DiscordUnavailable } from '../outcome.ts';

/** Whether Discord refused with one of these codes. */
export const isCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordAPIError && codes.some((code) => code === error.code);

/** Discord's own codes for deleted objects. A bare 404 proves nothing: any proxy may send it. */
const isUnknown = (error: unknown): boolean =>
  isCode(
    error,
    RESTJSONErrorCodes.UnknownMessage,
    RESTJSONErrorCodes.UnknownChannel,
    RESTJSONErrorCodes.UnknownWebhook,
    RESTJSONErrorCodes.InvalidWebhookToken,
  );

/** Whether the object is gone. Discord may wrongly say so once, so a second request of another kind must confirm it. */
export const isGone = async (error: unknown, other: () => Promise<unknown>): Promise<boolean> =>
  isUnknown(error) && (await other().then(() => false, isUnknown));

/** Discord rejects this form of the request; another may work. */
export const isRefused = (error: unknown): boolean =>
  error instanceof DiscordAPIError && [401, 403, 404].includes(error.status);

/** Discord does not understand what was sent: a fault of ours. */
export const isMalformed = (error: unknown): boolean =>
  isCode(
    error,
    RESTJSONErrorCodes.InvalidFormBodyOrContentType,
    RESTJSONErrorCodes.RequestBodyContainsInvalidJSON,
    RESTJSONErrorCodes.CannotSendAnEmptyMessage,
  );

/** Rejects with DiscordUnavailable for whatever Discord or the connection to it broke, or refused. */
export async function fromDiscord<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw isMalformed(error) ? error : new DiscordUnavailable(error);
  }
}

/** Rejects with ChannelClosed where Discord refused with one of these codes. */
export const open = <T>(asked: Promise<T>, ...codes: readonly number[]): Promise<T> =>
  asked.catch((error: unknown) => {
    throw isCode(error, ...codes) ? new ChannelClosed() : error;
  });

/** Discord accepts no more edits of a message older than an hour at the moment. */
export const isTooOld = (error: unknown): boolean =>
  isCode(error, RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached);

/** Discord refuses an upload: missing permission, too large, or its own storage fails. */
const isAboutFiles = (error: unknown): boolean =>
  isCode(error, RESTJSONErrorCodes.MissingPermissions, RESTJSONErrorCodes.RequestEntityTooLarge) ||
  ((error instanceof DiscordAPIError || error instanceof HTTPError) && (error.status === 413 || error.status >= 500));

/** The thread is archived: nothing can be edited until a message reopens it. */
export const isArchived = (error: unknown): boolean => isCode(error, RESTJSONErrorCodes.InvalidActionOnArchivedThread);

/** The card as Discord may take it after this error: without its files, which it says. Undefined: files were no reason. */
export function withoutFiles({ files = [], ...rest }: Card, error: unknown): Card | undefined {
  return files.length > 0 && isAboutFiles(error) ? { ...rest, body: [...rest.body, missing] } : undefined;
}

const missing = trusted(
  'Its file is missing, because Discord did not take it: the bot may lack **Attach Files** here, or the file is too large.',
);
