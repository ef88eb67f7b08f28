import { onTestFinished } from 'vitest';
import { createPanel, type PanelOptions } from '../../../src/panel/client.ts';
import { startPanel } from '../../../src/sandbox/panel/index.ts';

export const bot = { kind: 'confirmed' } as const;
export const alice = { kind: 'person', id: '1400000000000000001' } as const;
export const bob = { kind: 'person', id: '1400000000000000002' } as const;

/** A client that is closed after the test, and does not really wait before it sends again. */
export function connect(url: string, options: Partial<PanelOptions> = {}) {
  const panel = createPanel({ url, token: 'secret-token', wait: () => Promise.resolve(), ...options });
  onTestFinished(() => panel.close());
  return panel;
}

/** The sandbox's panel and a client of it. */
export async function sandbox(options: Partial<PanelOptions> = {}) {
  const panel = await startPanel();
  onTestFinished(() => panel.close());
  return { panel, client: connect(panel.url, { token: panel.token, ...options }) };
}
