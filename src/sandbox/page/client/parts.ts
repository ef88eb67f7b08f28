import { DiscordActionRow } from '@skyra/discord-components-core/discord-action-row.js';
import { DiscordAttachments } from '@skyra/discord-components-core/discord-attachments.js';
import { DiscordAuthorInfo } from '@skyra/discord-components-core/discord-author-info.js';
import { DiscordCommand } from '@skyra/discord-components-core/discord-command.js';
import { DiscordEmbed } from '@skyra/discord-components-core/discord-embed.js';
import { DiscordEmbedDescription } from '@skyra/discord-components-core/discord-embed-description.js';
import { DiscordEmbedFooter } from '@skyra/discord-components-core/discord-embed-footer.js';
import { DiscordMessage } from '@skyra/discord-components-core/discord-message.js';
import { DiscordReply } from '@skyra/discord-components-core/discord-reply.js';
import { DiscordSystemMessage } from '@skyra/discord-components-core/discord-system-message.js';
import { DiscordVerifiedAuthorTag } from '@skyra/discord-components-core/discord-verified-author-tag.js';
import { type CSSResult, css, type LitElement } from 'lit';
import { RunningTime } from './running-time.ts';

const quoted = css`
  :host { color: var(--muted); margin-left: 56px; min-width: 0; overflow: hidden; white-space: pre; font-family: inherit; overflow: visible; }
  :host::before { border-color: var(--line) !important; }
  .discord-replied-message-username { color: var(--head); opacity: 1; unicode-bidi: isolate; }
  .discord-replied-message-username:hover { text-decoration: none; cursor: default; }
  .discord-replied-message-content, .discord-replied-message-content:hover { color: inherit; overflow: hidden; cursor: default; min-width: 0; }
  :host .discord-slash-command-name, :host .discord-slash-command-name:hover { color: var(--mention) !important; background: var(--mention-bg); unicode-bidi: isolate; }
  .discord-application-tag { background: var(--tag); }
  .discord-message-edited { color: var(--muted); }
`;

/** The page's colours, contrast and text isolation for the components, which only support a dark page by themselves. */
const looks: readonly [typeof LitElement, CSSResult][] = [
  [
    DiscordMessage,
    css`
      :host { color: var(--text); font-family: inherit; padding-right: 16px; min-width: 0; margin: 0; }
      :host(:hover) { background: none; }
      .discord-message-inner { min-width: 0; }
      .discord-message-content { min-width: 0; line-height: 1.375rem; }
      .discord-author-avatar { margin-top: 2px; }
      .discord-author-avatar img { cursor: default; }
      .discord-message-body { overflow-wrap: anywhere; }
      .discord-message-timestamp, .discord-message-edited { color: var(--muted); }
      .discord-message-body-only-indent { flex: none; margin: 0; line-height: 1.375rem; font-size: 11px; }
    `,
  ],
  [
    DiscordAuthorInfo,
    css`
      :host .discord-author-username { color: var(--head); unicode-bidi: isolate; }
      :host .discord-author-username:hover { text-decoration: none; cursor: default; }
    `,
  ],
  [DiscordVerifiedAuthorTag, css`:host { background: var(--tag); }`],
  [DiscordReply, quoted],
  [DiscordCommand, quoted],
  [
    DiscordEmbed,
    css`
      :host { color: var(--text); margin: 6px 0; }
      :host .discord-embed-root { min-width: 0; max-width: 100%; }
      :host .discord-embed-wrapper { background: var(--embed); border: 0; min-width: 0; max-width: min(520px, 100%); }
      :host .discord-embed-wrapper .discord-embed-grid { grid-template-columns: minmax(0, auto); }
      :host .discord-left-border { background: var(--rail); }
    `,
  ],
  [DiscordEmbedDescription, css`:host { overflow-wrap: anywhere; line-height: 1.25rem; }`],
  [DiscordEmbedFooter, css`:host { color: var(--muted); overflow-wrap: anywhere; }`],
  [
    DiscordSystemMessage,
    css`
      :host { color: var(--muted); margin: 0; font-family: inherit; }
      :host(:hover) { background: none; }
      :host .discord-message-timestamp { color: var(--muted); }
    `,
  ],
  [DiscordActionRow, css`:host { gap: 8px; padding: 4px 0; }`],
  [DiscordAttachments, css`:host { min-width: 0; grid-template-columns: minmax(0, 1fr); }`],
];

/** Registers the components with this page's styles, before the first one is drawn. */
export function defineParts(): void {
  for (const [part, look] of looks) part.elementStyles = [...part.elementStyles, look];
  customElements.define('running-time', RunningTime);
}
