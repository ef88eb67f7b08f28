import { type Draft, emptyDraft, lineOf, next, remove } from './draft.ts';
import { attempt, channelNow, namedIn, type Page } from './page.ts';
import { toEnd } from './scroll.ts';
import { firstChosen, suggestionsNow } from './suggest.ts';
import { typoAt } from './typo.ts';
import { problems } from './validate.ts';

const maxHistory = 50;

/** The id of the active field: an option's, or the composer's own. */
export const fieldId = (draft: Draft): string => (draft.at < draft.values.length ? `option-${draft.at}` : 'composer');

/** Switches to another draft: shows suggestions again and focuses the active field. */
export function write(page: Page, draft: Draft): void {
  page.set({ draft, shut: false, problem: undefined });
  page.set({ chosen: firstChosen(page) });
  page.focus(fieldId(draft));
}

/** Accepts the highlighted or clicked suggestion. Returns whether there was one. */
export function take(page: Page, index = page.state.chosen): boolean {
  const suggestion = suggestionsNow(page).items[index];
  if (suggestion === undefined) return false;
  write(page, suggestion.draft);
  return true;
}

/** Sends. If something is wrong or missing, shows that at the option and focuses it instead. */
export async function send(page: Page): Promise<void> {
  const { state } = page;
  const { draft } = state;
  const channel = channelNow(page);
  if (channel === undefined || (draft.command === undefined && draft.text.trim() === '')) return;
  const over = draft.text.trim();
  if (draft.command !== undefined && over !== '') {
    const typo = typoAt(draft, draft.command, draft.values.length);
    const next = typo === undefined ? 'Remove it, or pick an option.' : `Did you mean ${typo.meant.name}?`;
    return page.set({ problem: `/${draft.command.name} has no option ${over}. ${next}` });
  }
  const wrong = problems(draft, (kind) => namedIn(page, kind));
  const [first] = wrong.keys();
  if (first !== undefined) {
    const at = draft.values.findIndex((value) => value.name === first);
    // A removed required option comes back with its problem.
    const values = at === -1 ? [...draft.values, { name: first, text: '' }] : draft.values;
    write(page, { ...draft, values, at: at === -1 ? values.length - 1 : at, tried: true });
    return;
  }
  const past = { ...next({ ...draft, at: -1 }), tried: false };
  page.set({ history: [past, ...state.history].slice(0, maxHistory), back: 0 });
  write(page, emptyDraft);
  // The sender wants to see the result.
  toEnd(page);
  const sent = await attempt(page, { what: 'type', as: state.as, channel: channel.id, line: lineOf(draft) });
  // Restores a refused draft, unless something else is being typed by now.
  if (sent || page.state.draft !== emptyDraft) return;
  const { problem } = page.state;
  write(page, draft);
  page.set({ problem });
}

/** Steps through the history: 1 is further back, -1 towards now. */
export function recall(page: Page, step: number): boolean {
  const { history, back } = page.state;
  const to = back + step;
  if (to < 0 || to > history.length) return false;
  write(page, history[to - 1] ?? emptyDraft);
  page.set({ back: to, shut: true });
  return true;
}

/** Handles Backspace in an empty field. Returns whether there was something to remove. */
export function takeBack(page: Page): boolean {
  const { draft } = page.state;
  if (draft.command === undefined) return false;
  const value = draft.values[draft.at];
  if (value !== undefined) write(page, remove(draft, draft.at));
  else if (draft.values.length > 0) write(page, { ...draft, at: draft.values.length - 1 });
  else write(page, { ...emptyDraft, text: `/${draft.command.name}` });
  return true;
}
