import {
  boolean,
  type Check,
  type Dictionary,
  dictionaries,
  type FieldErrors,
  integer,
  lengthOf,
  list,
  object,
  oneOf,
  refuse,
  snowflake,
  text,
  unlikeEarlier,
} from './check.ts';
import { rows } from './components.ts';
import { embeds } from './embeds.ts';

const COMPONENTS_V2 = 1 << 15;

const nonce: Check = (value) => {
  if (typeof value !== 'string' && !Number.isInteger(value)) {
    return refuse('NONCE_TYPE_INVALID_TYPE', 'This field must be a string or integer.');
  }
  return String(value).length > 25 ? refuse('NONCE_TYPE_TOO_LONG', 'Must be 25 or fewer characters long.') : undefined;
};

const ids = list(snowflake, { max: 100, each: unlikeEarlier });

function parsedAndListed(mentions: Dictionary): FieldErrors | undefined {
  const parse: unknown[] = Array.isArray(mentions['parse']) ? mentions['parse'] : [];
  for (const kind of ['users', 'roles']) {
    const listed = mentions[kind];
    if (parse.includes(kind) && Array.isArray(listed) && listed.length > 0) {
      return refuse(
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      );
    }
  }
  return undefined;
}

const allowedMentions = object({
  may: {
    parse: list(oneOf(['users', 'roles', 'everyone']), { max: 100, each: unlikeEarlier }),
    users: ids,
    roles: ids,
    replied_user: boolean,
  },
  whole: parsedAndListed,
});

function besideComponentsV2(body: Dictionary): FieldErrors | undefined {
  if (typeof body['flags'] !== 'number' || (body['flags'] & COMPONENTS_V2) === 0) return undefined;
  const field =
    lengthOf(body['content']) > 0 ? 'content' : dictionaries(body['embeds']).length > 0 ? 'embeds' : undefined;
  return field
    ? {
        [field]: refuse(
          'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
          `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
        ),
      }
    : undefined;
}

const message = object({
  may: {
    content: text(0, 2000),
    tts: boolean,
    nonce,
    enforce_nonce: boolean,
    embeds,
    components: rows,
    allowed_mentions: allowedMentions,
    // The bits are not checked: clients send a message's own flags back when they edit it, and Discord ignores them.
    flags: integer(0, 2 ** 31 - 1),
    message_reference: object({
      must: { message_id: snowflake },
      may: { type: oneOf([0, 1]), channel_id: snowflake, guild_id: snowflake, fail_if_not_exists: boolean },
    }),
    attachments: list(
      object({ must: { id: snowflake }, may: { filename: text(0, 1024), description: text(0, 1024) } }),
      { max: 10 },
    ),
  },
  whole: besideComponentsV2,
});

/** The body of a message or an answer, whose caller nests the errors below `data`. Empty: 50006, no field error. */
export function checkMessage(body: unknown): FieldErrors | undefined {
  return message(body);
}
