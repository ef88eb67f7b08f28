import { DiscordAPIError, HTTPError, RESTJSONErrorCodes } from 'discord.js';

/** Whether Discord refused with one of these codes. */
export const isCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordAPIError && codes.some((code) => code === error.code);

/** Discord's own words for what is no more. A 404 without them says nothing of that: anything on the way may answer it. */
const isUnknown = (error: unknown): boolean =>
  isCode(
    error,
    RESTJSONErrorCodes.UnknownMessage,
    RESTJSONErrorCodes.UnknownChannel,
    RESTJSONErrorCodes.UnknownWebhook,
    RESTJSONErrorCodes.InvalidWebhookToken,
  );

/**
 * Whether what was asked about is no more. Discord may say so once of what is there: a second request of another kind
 * has to be answered the same.
 */
export const isGone = async (error: unknown, other: () => Promise<unknown>): Promise<boolean> =>
  isUnknown(error) && (await other().then(() => false, isUnknown));

/** Discord does not do it this way, and may do it another way. */
export const isRefused = (error: unknown): boolean =>
  error instanceof DiscordAPIError && [401, 403, 404].includes(error.status);

/** Discord answered, and refused; it neither broke off nor met an error of its own. */
export const isRefusal = (error: unknown): boolean => error instanceof DiscordAPIError;

/** Discord takes no more edits of a message of more than an hour ago now. */
export const isTooOld = (error: unknown): boolean =>
  isCode(error, RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached);

/** Discord does not take an upload: without the right, too large, or because its own store is at fault. */
export const isAboutFiles = (error: unknown): boolean =>
  isCode(error, RESTJSONErrorCodes.MissingPermissions, RESTJSONErrorCodes.RequestEntityTooLarge) ||
  ((error instanceof DiscordAPIError || error instanceof HTTPError) && (error.status === 413 || error.status >= 500));

/** In an archived thread nothing is edited: a message opens it again. */
export const isArchived = (error: unknown): boolean => isCode(error, RESTJSONErrorCodes.InvalidActionOnArchivedThread);
