import { kinds, nearOffers, type Offer, type Option, offered, offersOf } from './commands.ts';
import { add, type Draft, left, next, optionAt, pick, set } from './draft.ts';
import { namedIn, type Page } from './page.ts';
import { isFreeText, typoAt, typoText } from './typo.ts';

/** One line of the list above the composer, and the draft that it produces. */
interface Suggestion {
  label: string;
  detail: string;
  draft: Draft;
}

export interface Suggestions {
  heading: string;
  /** Shown instead of a list. */
  note?: string;
  items: readonly Suggestion[];
}

const none: Suggestions = { heading: '', items: [] };
/** Discord's maximum. */
const most = 25;

export const offersNow = ({ state }: Page): Offer[] => offersOf(state.view?.commands ?? []);

export function suggestionsNow(page: Page): Suggestions {
  const { draft, shut } = page.state;
  if (shut) return none;
  if (draft.command === undefined) return commandsFor(page, draft);
  const option = optionAt(draft);
  return (
    typoFor(draft, draft.command) ??
    (option === undefined ? optionsFor(draft, draft.command) : valuesFor(page, draft, option))
  );
}

/** After the options, and where a text may be meant as it is, nothing is highlighted at first: Enter sends. */
export function firstChosen({ state: { draft } }: Page): number {
  if (draft.command === undefined) return 0;
  const option = optionAt(draft);
  if (option === undefined) return draft.text.trim() === '' ? -1 : 0;
  return isFreeText(option) && typoAt(draft, draft.command) !== undefined ? -1 : 0;
}

function commandsFor(page: Page, draft: Draft): Suggestions {
  if (!draft.text.startsWith('/')) return none;
  const offers = offersNow(page);
  const fitting = offered(offers, draft.text.slice(1));
  const items = fitting.map((offer) => ({ label: `/${offer.name}`, detail: offer.description, draft: pick(offer) }));
  if (offers.length === 0) return { heading: 'Commands', note: 'No commands yet: panelops is not connected.', items };
  if (items.length > 0) return { heading: 'Commands of panelops', items };
  const near = nearOffers(offers, draft.text.slice(1));
  return {
    heading: 'Commands of panelops',
    items: near.map((offer) => ({ label: `/${offer.name}`, detail: offer.description, draft: pick(offer) })),
    note:
      near.length === 0
        ? 'No command matches. /help lists them by topic.'
        : 'No command matches. Did you mean one of these?',
  };
}

function typoFor(draft: Draft, command: Offer): Suggestions | undefined {
  const typo = typoAt(draft, command);
  if (typo === undefined) return undefined;
  const { name, description } = typo.meant;
  return {
    heading: 'Options',
    note: typoText(typo),
    items: [{ label: name, detail: description, draft: typo.corrected }],
  };
}

function optionsFor(draft: Draft, command: Offer): Suggestions {
  const typed = draft.text.trim().toLowerCase();
  const items = left(draft, command)
    .filter((option) => option.name.includes(typed))
    .map((option) => ({ label: option.name, detail: option.description, draft: add(draft, option) }));
  if (items.length > 0) return { heading: 'Options', items };
  return typed === '' ? none : { heading: 'Options', note: `There is no option ${draft.text.trim()}.`, items };
}

function valuesFor(page: Page, draft: Draft, option: Option): Suggestions {
  const now = draft.values[draft.at];
  const heading = option.name;
  // A picked value stays until it is changed.
  if (now?.value !== undefined) return { heading, items: [] };
  const typed = (now?.text ?? '').toLowerCase();
  const items = (all: readonly { name: string; value: string | number }[]): Suggestion[] =>
    all.slice(0, most).map(({ name, value }) => ({
      label: name,
      detail: '',
      draft: next(set(draft, option.name, name, String(value))),
    }));
  const fitting = (all: readonly { name: string; value: string | number }[]): Suggestion[] =>
    items(all.filter((one) => one.name.toLowerCase().includes(typed)));
  if (option.choices !== undefined) return { heading, items: fitting(option.choices) };
  if (option.completes) return completed(page, heading, items);
  if (option.kind === kinds.boolean) {
    const both = [true, false].map((value) => ({ name: value ? 'True' : 'False', value: String(value) }));
    return { heading, items: fitting(both) };
  }
  if (option.kind >= kinds.user && option.kind <= kinds.mentionable) {
    const sign = option.kind === kinds.channel ? '#' : '@';
    const all = namedIn(page, option.kind).map(({ id, name }) => ({
      name: `${sign}${name.replace(/^@/, '')}`,
      value: id,
    }));
    return { heading, items: fitting(all) };
  }
  return { heading, items: [] };
}

function completed(
  { state: { completion } }: Page,
  heading: string,
  items: (all: readonly { name: string; value: string | number }[]) => Suggestion[],
): Suggestions {
  if (completion === undefined || completion.state === 'loading') {
    // Drop old suggestions: they belong to older input.
    return { heading, note: 'Loading options…', items: [] };
  }
  if (completion.state === 'failed') return { heading, note: 'Loading options failed.', items: [] };
  const found = items(completion.choices);
  return { heading, items: found, ...(found.length === 0 && { note: 'No options match your search.' }) };
}
