import type { Draft, Embed } from './shapes.ts';

/** What Discord makes of a text that it is given: it stores and shows this, and says so only in its answer. */

/** What is assigned to no character, to private use, or is half of a character. */
const strange = /[\p{Cn}\p{Co}\p{Cs}]/gu;
/** With more combining marks than this in a text, none is left. */
const MOST_MARKS = 150;
/** As many in a row are left. */
const stack = /(\p{M}{5})\p{M}+/gu;

function stored(text: string): string {
  const known = text.replace(strange, '');
  const marks = known.match(/\p{M}/gu)?.length ?? 0;
  return (marks > MOST_MARKS ? known.replace(/\p{M}/gu, '') : known.replace(stack, '$1')).trim();
}

const storedIf = <T extends string | null | undefined>(text: T) => (typeof text === 'string' ? stored(text) : text);

/** A message as it is stored. What the draft does not name, it does not name either. */
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
