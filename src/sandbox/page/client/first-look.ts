import { html, nothing, type TemplateResult } from 'lit';
import { type Example, examples, lineFor, tryOut } from './examples.ts';
import { channelNow, type Page } from './page.ts';

/** The content of an empty channel: an introduction, and in #ops things to try. */
export function firstLook(page: Page): TemplateResult {
  const channel = channelNow(page);
  if (channel?.name !== 'ops') {
    return html`<section class="first-look">
      <div class="mark" aria-hidden="true">#</div>
      <h2>Welcome to #<bdi>${channel?.name ?? ''}</bdi></h2>
      <p>${about(page, channel)} Nothing has been written here yet. Commands are answered in #ops and its threads.</p>
    </section>`;
  }
  return html`
    <section class="first-look" aria-labelledby="first-look">
      <h2 id="first-look">Welcome to #ops</h2>
      <p>
        panelops runs a virtual-server platform from here: slash commands are the panel’s operations, roles decide who may,
        and a button asks before what cannot be taken back. Discord and panel are a sandbox; the bot is real. Try it:
      </p>
      ${exampleList(page)}
    </section>
  `;
}

const about = ({ state }: Page, channel: ReturnType<typeof channelNow>): string =>
  channel?.parent === undefined
    ? `${channel?.topic ?? ''}.`
    : `A thread in #${state.view?.channels.find(({ id }) => id === channel.parent)?.name ?? ''}.`;

/** Those of people who are there: with a policy of somebody's own there are others. */
const examplesFor = ({ state }: Page): readonly Example[] =>
  examples.filter(({ as }) => state.view?.people.some(({ name }) => name === as) ?? true);

const exampleList = (page: Page): TemplateResult => html`
  <ol class="examples">
    ${examplesFor(page).map((example, i) => html`<li>${card(page, example, i + 1)}</li>`)}
  </ol>
`;

const card = (page: Page, example: Example, number: number): TemplateResult => html`
  <button type="button" @click=${() => tryOut(page, example)}>
    <span class="number" aria-hidden="true">${number}</span>
    <span class="what">
      <b>${example.title}</b>
      <code>${example.as === 'alice' ? nothing : `as ${example.as}: `}${lineFor(example)}</code>
      <span>${example.says}</span>
    </span>
  </button>
`;

/** The same, at any time. */
export function examplesDialog(page: Page): TemplateResult | typeof nothing {
  if (!page.state.examples) return nothing;
  return html`
    <dialog class="dialog listing" data-modal aria-labelledby="examples-title" @close=${() => page.set({ examples: false })}>
      <h2 id="examples-title">Things to try</h2>
      ${exampleList(page)}
      <form method="dialog"><button class="button secondary">Close</button></form>
    </dialog>
  `;
}
