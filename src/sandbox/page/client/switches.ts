import { html, type TemplateResult } from 'lit';
import type { Switch } from '../protocol.ts';
import type { Page } from './page.ts';
import { postSwitch } from './post.ts';
import { fieldId } from './write.ts';

/** The faults that can be switched on, each with what to watch. */
export const switches = (page: Page, all: readonly Switch[]): TemplateResult => html`
  <details open>
    <summary>Break something <span class="count">${all.filter(({ on }) => on).length} on</span></summary>
    <ul class="switches">
      ${all.map((one) => html`<li class=${isPointed(page, one) ? 'pointed' : ''}>${row(page, one)}</li>`)}
    </ul>
  </details>
`;

const isPointed = ({ state }: Page, { label, on }: Switch): boolean =>
  state.pointed !== undefined && !on && label.includes(state.pointed);

function row(page: Page, { id, label, watch, kind, on }: Switch): TemplateResult {
  const press = (): void => {
    // A person who followed an example continues in the composer.
    if (page.state.pointed !== undefined) page.focus(fieldId(page.state.draft));
    page.set({ pointed: undefined });
    postSwitch(id, kind === 'toggle' ? !on : undefined).then(
      () => page.set({ said: `${label}: ${kind === 'once' ? 'done' : on ? 'off' : 'on'}.`, problem: undefined }),
      (error: unknown) => page.set({ problem: error instanceof Error ? error.message : String(error) }),
    );
  };
  const described = `watch-${id}`;
  return html`
    <p class="switch">
      ${
        kind === 'once'
          ? html`<span>${label}</span>`
          : html`<label id="label-${id}" for="switch-${id}">${label}</label>`
      }
      ${
        kind === 'once'
          ? html`<button type="button" class="button secondary small" id="switch-${id}" aria-label="Do it: ${label}" aria-describedby=${described} @click=${press}>Do it</button>`
          : html`<button type="button" class="toggle" role="switch" id="switch-${id}" aria-checked=${on} aria-labelledby="label-${id}" aria-describedby=${described} @click=${press}></button>`
      }
    </p>
    <small id=${described}>${watch}</small>
  `;
}
