import {
  boolean,
  type Check,
  type Dictionary,
  dictionaries,
  type FieldErrors,
  integer,
  isDictionary,
  lengthOf,
  list,
  missing,
  object,
  refuse,
  text,
  url,
} from './check.ts';

const link = url(2048, ['http', 'https']);
const image = url(2048, ['http', 'https', 'attachment']);

const timestamp: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : refuse('DATE_TIME_TYPE_PARSE', `Could not parse ${String(value)}. Should be ISO8601.`);

const field = object({ must: { name: text(0, 256), value: text(0, 1024) }, may: { inline: boolean } });
const picture = object({ must: { url: image } });

const VISIBLE = ['title', 'description', 'fields', 'image', 'thumbnail', 'author', 'footer', 'video', 'provider'];

function hasContent(embed: Dictionary): boolean {
  return VISIBLE.some((key) => {
    const value = embed[key];
    return typeof value === 'string' ? lengthOf(value) > 0 : isDictionary(value) || dictionaries(value).length > 0;
  });
}

const embed = object({
  may: {
    title: text(0, 256),
    description: text(0, 4096),
    url: link,
    timestamp,
    color: integer(0, 0xff_ff_ff),
    footer: object({ must: { text: text(0, 2048) }, may: { icon_url: image } }),
    image: picture,
    thumbnail: picture,
    author: object({ must: { name: text(0, 256) }, may: { url: link, icon_url: image } }),
    fields: list(field, { max: 25 }),
  },
  whole: (value) => (hasContent(value) ? undefined : { description: missing() }),
});

const lengthIn = (part: unknown, key: string) => (isDictionary(part) ? lengthOf(part[key]) : 0);

function textOf(value: Dictionary): number {
  return (
    lengthOf(value['title']) +
    lengthOf(value['description']) +
    lengthIn(value['footer'], 'text') +
    lengthIn(value['author'], 'name') +
    dictionaries(value['fields']).reduce((sum, one) => sum + lengthOf(one['name']) + lengthOf(one['value']), 0)
  );
}

function tooMuchText(all: unknown[]): FieldErrors | undefined {
  const length = dictionaries(all).reduce((sum, one) => sum + textOf(one), 0);
  return length > 6000 ? refuse('MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000') : undefined;
}

/** Up to ten embeds, with at most 6,000 characters together. */
export const embeds: Check = list(embed, { max: 10, whole: tooMuchText });
