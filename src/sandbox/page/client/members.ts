import { html, nothing, type TemplateResult } from 'lit';
import { sideHead } from './header.ts';
import type { Page, Person } from './page.ts';
import { avatarOf } from './pictures.ts';

/** The members, grouped by their first role, as in Discord. */
export function memberList(page: Page): TemplateResult {
  const { view, drawer } = page.state;
  const people = view?.people ?? [];
  const persons = people.filter((person) => !person.bot);
  const roles = [...new Set(persons.map(groupOf))];
  const bots = people.filter((person) => person.bot);
  return html`
    <aside class="side members ${drawer === 'side' ? 'open' : ''}" id="side" tabindex="-1" aria-labelledby="members-title">
      ${sideHead(page, 'members-title', 'Members')}
      ${roles.map((role) =>
        group(
          role,
          persons.filter((person) => groupOf(person) === role),
          true,
        ),
      )}
      ${group('apps', bots, view?.online ?? false)}
    </aside>
  `;
}

const groupOf = ({ roles }: Person): string => roles[0] ?? 'no role';

function group(name: string, people: readonly Person[], online: boolean): TemplateResult | typeof nothing {
  if (people.length === 0) return nothing;
  return html`
    <section>
      <h2>${name} — ${people.length}</h2>
      <ul>
        ${people.map(
          (person) => html`
            <li class=${online ? '' : 'away'}>
              <span class="avatar"><img src=${avatarOf(person.name, person.bot)} alt="" /><i></i></span>
              <span>
                <bdi>${person.name}</bdi>${person.bot ? html` <b class="tag">APP</b>` : nothing}
                <small>${person.bot ? (online ? 'online' : 'not connected') : person.roles.join(', ') || 'no role'}</small>
              </span>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}
