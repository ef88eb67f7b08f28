import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Behind, Stocked } from '../protocol.ts';
import type { Page } from './page.ts';
import { postStock } from './post.ts';

/** The panel's servers, which people create, rename, suspend and delete here as in the panel's own pages. */
export const stock = (page: Page, { servers = [] }: Behind): TemplateResult => html`
  <details>
    <summary>Servers of the panel <span class="count">${servers.length}</span></summary>
    <p class="lead">Real panels list these, too, but the published API does not say so. A policy with inventory reads the list.</p>
    <form class="stock" @submit=${(event: SubmitEvent) => create(page, event)}>
      <input name="name" aria-label="Name of a new server" placeholder="web-9" maxlength="500" required />
      <button class="button secondary small">Create</button>
    </form>
    <ul class="switches">${repeat(
      servers,
      ({ id }) => id,
      (server) => row(page, server),
    )}</ul>
  </details>
`;

function create(page: Page, event: SubmitEvent): void {
  const name = nameIn(event);
  if (event.target instanceof HTMLFormElement) event.target.reset();
  change(page, { do: 'create', name }, `${name}: created.`);
}

function row(page: Page, { id, name, suspended }: Stocked): TemplateResult {
  const rename = (event: SubmitEvent) => {
    const next = nameIn(event);
    change(page, { do: 'rename', id, name: next }, `${name} is now ${next}.`);
  };
  const suspend = () =>
    change(page, { do: 'suspend', id, on: !suspended }, `${name}: ${suspended ? 'resumed' : 'suspended'}.`);
  const remove = () => change(page, { do: 'delete', id }, `${name}: deleted.`);
  return html`
    <li>
      <form class="stock" @submit=${rename}>
        <input name="name" aria-label="Name of server ${id}" .value=${name} maxlength="500" required />
        <button class="button secondary small" aria-label="Rename ${name}">Rename</button>
        <button type="button" class="button secondary small" aria-label="${suspended ? 'Resume' : 'Suspend'} ${name}" @click=${suspend}>${suspended ? 'Resume' : 'Suspend'}</button>
        <button type="button" class="button secondary small" aria-label="Delete ${name}" @click=${remove}>Delete</button>
      </form>
      <small>${id}${suspended ? ' · suspended' : ''}</small>
    </li>
  `;
}

function nameIn(event: SubmitEvent): string {
  event.preventDefault();
  const name = event.target instanceof HTMLFormElement ? new FormData(event.target).get('name') : undefined;
  return typeof name === 'string' ? name : '';
}

function change(page: Page, order: Parameters<typeof postStock>[0], said: string): void {
  postStock(order).then(
    () => page.set({ said, problem: undefined }),
    (error: unknown) => page.set({ problem: error instanceof Error ? error.message : String(error) }),
  );
}
