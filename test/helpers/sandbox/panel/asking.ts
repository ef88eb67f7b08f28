import { type PanelOptions, type SandboxPanel, startPanel } from '../../../../src/sandbox/panel/index.ts';
import { forEach } from '../../lives.ts';

/** Another one for each test. */
export const panelForEach = (options?: PanelOptions) => forEach(() => startPanel(options));

export interface Heard {
  status: number;
  headers: Headers;
  text: string;
}

/** Asks the panel with its token, or with the headers given instead. */
export async function ask(
  panel: SandboxPanel,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { authorization: `Bearer ${panel.token}` },
): Promise<Heard> {
  const answer = await fetch(`${panel.url}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
