import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Behind } from '../protocol.ts';
import { answerOf } from './answer.ts';
import { sideHead } from './header.ts';
import type { Page } from './page.ts';
import { stock } from './stock.ts';
import { switches } from './switches.ts';
import { moment } from './time.ts';

/** The side panel with what Discord does not show: requests to the panel, the ledger, follow-ups, faults. */
export function behindPanel(page: Page): TemplateResult {
  const { behind, drawer } = page.state;
  return html`
    <aside class="side behind ${drawer === 'side' ? 'open' : ''}" id="side" tabindex="-1" aria-labelledby="behind-title">
      ${sideHead(page, 'behind-title', 'Behind the scenes')}
      <p class="lead">What the bot does that Discord does not show, and what you can break.</p>
      ${
        behind === undefined
          ? html`<p class="lead">Loading…</p>`
          : html`
              <div class="levers">${switches(page, behind.switches)} ${behind.servers ? stock(page, behind) : nothing}</div>
              <div class="happened">${requests(behind)} ${entries(behind)} ${followUps(behind)}</div>
            `
      }
    </aside>
  `;
}

const section = (title: string, count: number, empty: string, body: unknown): TemplateResult => html`
  <details open>
    <summary>${title} <span class="count">${count}</span></summary>
    ${count === 0 ? html`<p class="lead">${empty}</p>` : body}
  </details>
`;

const requests = ({ requests: all }: Behind): TemplateResult =>
  section(
    'Requests to the panel',
    all.length,
    'None yet. A command that reads or changes something sends one.',
    html`<ol class="requests">
      ${repeat(
        keyed(all).reverse(),
        ({ key }) => key,
        ({ answer, at, ms, method, path, body, note }) => html`
          <li>
            <p>
              <b class="method">${method}</b> <code>${path}</code>
              <b class="status ${answer.look}">${answer.words}</b>
            </p>
            ${body === undefined || body === '' ? nothing : html`<pre tabindex="0">${body}</pre>`}
            <small>${moment(at, 'T', at)}${ms === undefined ? '' : ` · ${Math.round(ms)} ms`}${note === undefined ? '' : ` · ${note}`}</small>
          </li>
        `,
      )}
    </ol>`,
  );

/** Keyed, because two requests may share a millisecond. Includes the panel's answer. */
function keyed(all: Behind['requests']) {
  const before = new Map<string, number>();
  return all.map((request) => {
    const sent = `${request.at} ${request.path}`;
    const count = before.get(sent) ?? 0;
    before.set(sent, count + 1);
    return { ...request, key: `${sent} ${count}`, answer: answerOf(request) };
  });
}

const entries = ({ entries: all }: Behind): TemplateResult =>
  section(
    'Ledger',
    all.length,
    'Empty. A change is written here before it is sent.',
    html`<ol class="entries">
      ${repeat(
        [...all].reverse(),
        ({ seq }) => seq,
        ({ seq, time, kind, who, words, hash }) => html`
          <li>
            <p><b>${seq}</b> <span class="kind">${kind}</span> <bdi>${who}</bdi></p>
            <p class="words"><bdi>${words}</bdi></p>
            <small>${shortTime(time)} · <code title=${hash}>${hash.slice(0, 12)}…</code></small>
          </li>
        `,
      )}
    </ol>`,
  );

const followUps = ({ followUps: all }: Behind): TemplateResult =>
  section(
    'Follow-ups',
    all.length,
    'None. Restores and power actions are followed until they end.',
    html`<ul class="entries">${all.map(({ words }) => html`<li><bdi>${words}</bdi></li>`)}</ul>`,
  );

function shortTime(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : moment(at, 'T', at);
}
