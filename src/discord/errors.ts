import { DiscordAPIError, HTTPError, RESTJSONErrorCodes } from 'discord.js';

/** Whether Discord refused with one of these codes. */
export const isCode = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof DiscordAPIError && codes.some((code) => code === error.code);

/** Discord answered, and refused; it neither broke off nor met an error of its own. */
export const isRefusal = (error: unknown): boolean => error instanceof DiscordAPIError;

/** The message, its channel or the right is no more: trying again changes nothing. */
export const isLost = (error: unknown): boolean =>
  error instanceof DiscordAPIError && (error.status === 403 || error.status === 404);

/** Discord takes no more edits of a message of more than an hour ago now. */
export const isTooOld = (error: unknown): boolean =>
  isCode(error, RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached);

/** Discord does not take an upload: without the right, too large, or because its own store is at fault. */
export const isAboutFiles = (error: unknown): boolean =>
  isCode(error, RESTJSONErrorCodes.MissingPermissions, RESTJSONErrorCodes.RequestEntityTooLarge) ||
  ((error instanceof DiscordAPIError || error instanceof HTTPError) && (error.status === 413 || error.status >= 500));

/** In an archived thread nothing is edited: a message opens it again. */
export const isArchived = (error: unknown): boolean => isCode(error, RESTJSONErrorCodes.InvalidActionOnArchivedThread);
