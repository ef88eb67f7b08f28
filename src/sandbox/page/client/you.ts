import { html, type TemplateResult } from 'lit';
import { addressOf, channelNow, type Page } from './page.ts';
import { avatarOf } from './pictures.ts';

/** "You are alice (lead)": who acts in this window, by its address. */
export function you(page: Page): TemplateResult {
  const { as, view } = page.state;
  const people = (view?.people ?? []).filter((person) => !person.bot);
  const change = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement)
      location.hash = addressOf(event.target.value, channelNow(page)?.id ?? '');
  };
  return html`
    <section class="you" ?inert=${page.state.drawer !== undefined} aria-label="Person">
      <span class="avatar"><img src=${avatarOf(as)} alt="" /><i></i></span>
      <bdi class="narrow" aria-hidden="true">${as}</bdi>
      <label for="you">You are</label>
      <select id="you" title="Switch person" @change=${change}>
        ${
          people.length === 0
            ? html`<option selected>${as}</option>`
            : people.map(
                ({ name, roles: theirs }) =>
                  html`<option value=${name} .selected=${name === as}>${name} (${theirs.join(', ') || 'no role'})</option>`,
              )
        }
      </select>
    </section>
  `;
}
