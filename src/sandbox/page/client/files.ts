import type { APIAttachment } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.ts';

/** A file's address on the page's own origin, if it is the sandbox's: the page loads nothing from elsewhere. */
export function attachmentAddress(url: string): string | undefined {
  if (!URL.canParse(url, location.href)) return undefined;
  const { hostname, pathname } = new URL(url, location.href);
  const ours = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) && pathname.startsWith('/attachments/');
  return ours ? pathname : undefined;
}

/** A readable size: "1.4 kB". */
function sizeOf(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The attachments of a message: pictures are shown, other files are links. */
export function files(attachments: readonly APIAttachment[]): TemplateResult | typeof nothing {
  if (attachments.length === 0) return nothing;
  return html`<discord-attachments slot="attachments">${attachments.map(file)}</discord-attachments>`;
}

function file({ filename, size, url, content_type: type, description }: APIAttachment): TemplateResult {
  const address = attachmentAddress(url);
  if (address !== undefined && type?.startsWith('image/')) {
    return html`<a class="picture" href=${address} target="_blank" rel="noreferrer"
      ><img src=${address} alt=${description ?? filename}
    /></a>`;
  }
  return html`
    <p class="file">
      ${icon('file')}
      <span class="what">
        ${
          address === undefined
            ? html`<bdi>${filename}</bdi>`
            : html`<a href=${address} target="_blank" rel="noreferrer"><bdi>${filename}</bdi></a>`
        }
        <small>${sizeOf(size)}</small>
      </span>
    </p>
  `;
}
