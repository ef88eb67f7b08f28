import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { emptyDraft, left, optionAt, typed, typedInto, type Value } from './draft.ts';
import { icon } from './icons.ts';
import { onKey } from './keys.ts';
import { channelNow, namedIn, type Page } from './page.ts';
import { offersNow, suggestionsNow } from './suggest.ts';
import { suggestionList } from './suggestion-list.ts';
import { problems } from './validate.ts';
import { send, write } from './write.ts';

/** The input: text, or a command with one field for each option. */
export function composer(page: Page): TemplateResult {
  const { draft, problem } = page.state;
  const wrong = draft.tried ? problems(draft, (kind) => namedIn(page, kind)) : new Map<string, string>();
  const open = suggestionsNow(page).items.length > 0;
  return html`
    <form class="composer" ?inert=${page.state.drawer !== undefined} aria-label="Write here" @submit=${(event: Event) => onSubmit(page, event)}>
      ${suggestionList(page, wrong)}
      ${problem === undefined ? nothing : html`<p class="problem" role="alert"><bdi>${problem}</bdi></p>`}
      <div class="box" @keydown=${(event: KeyboardEvent) => onKey(page, event)}>
        <div class="fields">
          ${draft.command === undefined ? nothing : html`<span class="command">/${draft.command.name}</span>`}
          ${draft.values.map((value, at) => optionField(page, value, at, wrong.get(value.name), open))} ${endField(page, open)}
        </div>
        ${
          draft.command === undefined
            ? nothing
            : html`<button type="button" class="icon" aria-label="Discard the command" @click=${() => write(page, emptyDraft)}>${icon('cross')}</button>`
        }
        <button class="send" aria-label="Send">${icon('send')}</button>
      </div>
    </form>
  `;
}

function onSubmit(page: Page, event: Event): void {
  event.preventDefault();
  void send(page);
}

const chosenId = ({ state }: Page, open: boolean, here: boolean): string | typeof nothing =>
  open && here && state.chosen >= 0 ? `suggestion-${state.chosen}` : nothing;

function optionField(page: Page, value: Value, at: number, problem: string | undefined, open: boolean): TemplateResult {
  const { draft } = page.state;
  const here = draft.at === at;
  const { description = '', required = false } = optionAt(draft, at) ?? {};
  return html`
    <label class="option ${here ? 'here' : ''} ${problem === undefined ? '' : 'wrong'}">
      <span>${value.name}</span>
      <input
        id="option-${at}"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        dir="auto"
        aria-autocomplete="list"
        aria-controls="suggestions"
        aria-expanded=${here && open}
        aria-activedescendant=${chosenId(page, open, here)}
        aria-description=${description}
        aria-required=${required}
        aria-invalid=${problem !== undefined}
        aria-errormessage=${problem === undefined ? nothing : 'option-problem'}
        size=${Math.min(Math.max(value.text.length + 1, 4), 48)}
        title=${value.text}
        .value=${live(value.text)}
        @input=${(event: Event) => onOption(page, value.name, event)}
        @focus=${() => here || write(page, { ...page.state.draft, at })}
      />
    </label>
  `;
}

function endField(page: Page, open: boolean): TemplateResult {
  const { draft, as } = page.state;
  const here = draft.at >= draft.values.length;
  const channel = channelNow(page)?.name ?? '';
  const label = draft.command === undefined ? `Message #${channel}` : 'Another option';
  return html`
    <input
      id="composer"
      class=${draft.values.length > 0 && draft.text === '' ? 'empty' : ''}
      type="text"
      role="combobox"
      autocomplete="off"
      dir="auto"
      aria-autocomplete="list"
      aria-controls="suggestions"
      aria-expanded=${here && open}
      aria-activedescendant=${chosenId(page, open, here)}
      aria-label="${label} as ${as}"
      placeholder=${draft.command === undefined ? 'Message, or type / for commands' : afterOptions(page)}
      .value=${live(draft.text)}
      @input=${(event: Event) => onText(page, event)}
      @focus=${() => here || write(page, { ...page.state.draft, at: page.state.draft.values.length })}
    />
  `;
}

/** Says, as Discord does, that there are options without a field: a tap here lists them. */
function afterOptions({ state: { draft } }: Page): string {
  if (draft.values.length === 0) return 'Enter sends';
  const more = draft.command === undefined ? 0 : left(draft, draft.command).length;
  return more === 0 ? '' : `+${more} more`;
}

function onOption(page: Page, name: string, event: Event): void {
  if (!(event.target instanceof HTMLInputElement)) return;
  write(page, typedInto(page.state.draft, name, event.target.value));
}

function onText(page: Page, event: Event): void {
  if (!(event.target instanceof HTMLInputElement)) return;
  page.set({ back: 0 });
  write(page, typed(page.state.draft, event.target.value, offersNow(page)));
}
