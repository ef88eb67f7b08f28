import type { Draft, Embed } from './shapes.ts';

/** How Discord normalizes a text before it stores and shows it. Only its answer shows the result. */

/** Unassigned and private-use characters, and lone surrogates. */
const strange = /[\p{Cn}\p{Co}\p{Cs}]/gu;
/** A text with more combining marks than this loses all of them. */
const MOST_MARKS = 150;
/** At most five combining marks in a row remain. */
const stack = /(\p{M}{5})\p{M}+/gu;

function stored(text: string): string {
  const known = text.replace(strange, '');
  const marks = known.match(/\p{M}/gu)?.length ?? 0;
  return (marks > MOST_MARKS ? known.replace(/\p{M}/gu, '') : known.replace(stack, '$1')).trim();
}

const storedIf = <T extends string | null | undefined>(text: T) => (typeof text === 'string' ? stored(text) : text);

/** A message as stored. Members missing from the draft stay missing. */
export function storedDraft(draft: Draft): Draft {
  const { content, embeds } = draft;
  return {
    ...draft,
    ...(content !== undefined && { content: storedIf(content) }),
    ...(embeds && { embeds: embeds.map(storedEmbed) }),
  };
}

function storedEmbed(embed: Embed): Embed {
  const { title, description, author, footer, fields } = embed;
  return {
    ...embed,
    ...(title !== undefined && { title: storedIf(title) }),
    ...(description !== undefined && { description: storedIf(description) }),
    ...(author && { author: { ...author, name: stored(author.name) } }),
    ...(footer && { footer: { ...footer, text: stored(footer.text) } }),
    ...(fields && {
      fields: fields.map((field) => ({ ...field, name: stored(field.name), value: stored(field.value) })),
    }),
  };
}
