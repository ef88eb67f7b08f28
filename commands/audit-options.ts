import type { Option } from '../src/command.ts';
import { type End, ends, type Outcome, outcomes } from '../src/outcome.ts';
import { type Format, formats } from '../src/record/file.ts';
import { momentForm, readMoment } from '../src/record/moment.ts';
import { commandId } from './help.ts';

export const person: Option<string | undefined> = {
  type: 'user',
  description: 'Who did any of it; somebody who has left, by id',
  read: (raw, { refuse }) => {
    if (raw === undefined) return undefined;
    return /^\d{17,20}$/.test(String(raw)) ? String(raw) : refuse('a person, or the id of one');
  },
  write: (value) => value,
};

export const maybeCommand: Option<string | undefined> = {
  ...commandId,
  required: false,
  read: (raw, context) => (raw === undefined ? undefined : commandId.read(raw, context)),
  write: (value) => value,
};

const endings: readonly (Outcome | End)[] = [...new Set([...outcomes, ...ends])];

export const outcome: Option<Outcome | End | undefined> = {
  type: 'string',
  description: 'How it ended',
  choices: endings.map((value) => ({ name: value, value })),
  read: (raw, { refuse }) =>
    raw === undefined ? undefined : (endings.find((each) => each === raw) ?? refuse('one of the choices')),
  write: (value) => value,
};

/** In ms; written as Unix seconds. */
const time = (description: string, end?: 'end'): Option<number | undefined> => ({
  type: 'string',
  description,
  max: 30,
  read: (raw, { now, refuse }) =>
    raw === undefined || String(raw).trim() === ''
      ? undefined
      : (readMoment(String(raw), now, end) ?? refuse(momentForm)),
  write: (ms) => (ms === undefined ? undefined : String(ms / 1000)),
});

export const since = time('From when on: 2h or 3d ago, a date, or a time (UTC)');
export const until = time('Until when: 2h ago, a date (with that day), or a time (UTC)', 'end');

export const runId: Option<string> = {
  type: 'string',
  description: 'The id at the foot of its card, or what /audit history shows',
  required: true,
  max: 60,
  // As it is copied from a card.
  read: (raw) =>
    String(raw)
      .replaceAll('`', '')
      .replace(/^\s*run\s+/i, '')
      .replace(/·.*$/s, '')
      .trim()
      .toLowerCase(),
  write: (value) => value,
};

export const format: Option<Format> = {
  type: 'string',
  description: 'jsonl: the ledger itself (when left out); csv: for spreadsheets; md: to read',
  choices: formats.map((value) => ({ name: value, value })),
  read: (raw, { refuse }) =>
    raw === undefined ? 'jsonl' : (formats.find((each) => each === raw) ?? refuse('jsonl, csv or md')),
  write: (value) => value,
};

export const incident: Option<string | undefined> = {
  type: 'string',
  description: 'What belongs to this incident',
  max: 100,
  suggest: ({ typed, incidents }) =>
    incidents
      .filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(typed.trim().toLowerCase()))
      .slice(-25)
      .reverse()
      .map(({ id, title, opened }) => ({ name: `${opened.time.slice(0, 10)} ${title}`.slice(0, 100), value: id })),
  read: (raw, { refuse }) => {
    if (raw === undefined) return undefined;
    return /^\d{17,20}$/.test(String(raw))
      ? String(raw)
      : refuse('pick one of the suggestions, or type the id of its thread');
  },
  write: (value) => value,
};
