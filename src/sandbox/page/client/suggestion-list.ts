import { html, nothing, type TemplateResult } from 'lit';
import { optionAt } from './draft.ts';
import type { Page } from './page.ts';
import { suggestionsNow } from './suggest.ts';
import { take } from './write.ts';

/** The box above the composer: the option's description, its problem, and the suggestions. */
export function suggestionList(page: Page, wrong: ReadonlyMap<string, string>): TemplateResult {
  const { state } = page;
  const { heading, note, items } = suggestionsNow(page);
  const option = optionAt(state.draft);
  const problem = wrong.get(option?.name ?? '');
  const empty = items.length === 0 && note === undefined && option === undefined;
  return html`
    <div class="suggestions" ?hidden=${empty}>
      ${option === undefined ? html`<h2>${heading}</h2>` : describe(option)}
      ${problem === undefined ? nothing : html`<p class="wrong" id="option-problem" role="alert">${problem}</p>`}
      <ul id="suggestions" role="listbox" aria-label=${heading === '' ? 'Suggestions' : heading} ?hidden=${items.length === 0}>
        ${items.map(
          ({ label, detail }, i) => html`
            <li
              id="suggestion-${i}"
              role="option"
              aria-selected=${i === state.chosen}
              @mousedown=${(event: Event) => event.preventDefault()}
              @mousemove=${() => state.chosen === i || page.set({ chosen: i })}
              @click=${() => take(page, i)}
            >
              <b dir="auto">${label}</b>${detail === '' ? nothing : html`<span>${detail}</span>`}
            </li>
          `,
        )}
      </ul>
      ${note === undefined ? nothing : html`<p class="note" role="status">${note}</p>`}
    </div>
  `;
}

const describe = ({ name, description, required }: { name: string; description: string; required: boolean }) => html`
  <p class="about"><b>${name}</b> ${description}${required ? nothing : html` <i>optional</i>`}</p>
`;
