import { html, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import type { Page } from './page.ts';
import type { Theme } from './state.ts';

export const lightly = '(prefers-color-scheme: light)';

/** The button that changes between light and dark. What the system prefers is not stored: the page goes on following it. */
export function themeButton(page: Page): TemplateResult {
  const preferred = matchMedia(lightly).matches ? 'light' : 'dark';
  const shown = page.state.theme === 'system' ? preferred : page.state.theme;
  const other = shown === 'light' ? 'dark' : 'light';
  const press = (): void => {
    const theme: Theme = other === preferred ? 'system' : other;
    localStorage.setItem('colours', theme);
    page.set({ theme });
  };
  const label = `Switch to ${other} colours`;
  return html`
    <button type="button" class="icon" title=${label} aria-label=${label} @click=${press}>${icon('contrast')}</button>
  `;
}
