import { count, type Markup, trusted } from '../card.ts';
import { codeBlock, fieldsOf, wrapped } from '../code.ts';
import { ReadFailed, type View } from '../command.ts';
import { isRecord } from '../json.ts';
import type { Unexpected } from '../outcome.ts';

/** How many lines of it fit on a card beside the rest. */
const maxLines = 20;
/** A longer text is in the file. */
const maxPiece = 120;

/** For an answer of which nothing fits: a view of what came. Throws any other error, and whatever nobody could read. */
export const orUnexpected =
  (unexpected: readonly Unexpected[]) =>
  (error: unknown): View => {
    if (error instanceof ReadFailed && error.result.reason === 'not-understood' && unexpected.length > 0)
      return { fact: trusted('The panel answered in a format that the bot does not recognize.'), body: [] };
    throw error;
  };

/** The view, and below it what does not have the expected form: as it came, and whole in a file. */
export function withUnexpected(view: View, unexpected: readonly Unexpected[]): View {
  if (unexpected.length === 0) return { ...view, body: [...view.body, ...(view.ifWhole ?? [])] };
  const lines = unexpected.flatMap(({ value }) => linesOf(value));
  const more = lines.length - maxLines;
  return {
    ...view,
    body: [
      ...view.body,
      trusted(`⚠ **Not in the form that the bot knows**: ${namesOf(unexpected)}. As it came:`),
      codeBlock(lines.slice(0, maxLines)),
      ...(more > 0 ? [trusted(`${count(more, 'more line')} in the file.`)] : []),
      ...fileNote,
    ],
    files: [...(view.files ?? []), file(unexpected)],
  };
}

const fileNote: readonly Markup[] = [trusted('The file has all of it, without what looks like a secret.')];

/** "2 traffic blocks, 1 period"; "the answer" */
function namesOf(unexpected: readonly Unexpected[]): string {
  const counts = new Map<string, number>();
  for (const { what } of unexpected) counts.set(what, (counts.get(what) ?? 0) + 1);
  return [...counts].map(([what, n]) => (what === 'answer' ? 'the answer' : count(n, what))).join(', ');
}

/** The fields of a record, and below them the records of each list in it. */
function linesOf(record: unknown): string[] {
  const lists = Object.entries(isRecord(record) ? record : {}).filter(([, value]) => isList(value));
  const names = lists.map(([name]) => name);
  const rest = isRecord(record)
    ? Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
    : record;
  return [
    ...wrapped(fieldsOf(rest).map(shortened)),
    ...lists.flatMap(([name, value]) => [
      `${name}:`,
      ...(isList(value) ? value.flatMap((each) => wrapped(fieldsOf(each).map(shortened), '  ')) : []),
    ]),
  ];
}

const isList = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

const shortened = (piece: string): string => {
  const letters = [...piece];
  return letters.length <= maxPiece ? piece : `${letters.slice(0, maxPiece - 1).join('')}…`;
};

const file = (unexpected: readonly Unexpected[]): NonNullable<View['files']>[number] => ({
  name: 'answer.json',
  type: 'application/json',
  bytes: Buffer.from(`${JSON.stringify(unexpected, null, 2)}\n`),
  description: 'What the panel answered in a form that the bot does not know',
});
