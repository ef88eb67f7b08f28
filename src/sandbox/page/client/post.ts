/** A person's act, as the server accepts it. */
export type Act =
  | { what: 'type'; as: string; channel: string; line: string }
  | { what: 'click'; as: string; message: string; customId: string }
  | { what: 'submit'; as: string; fields: Record<string, string> }
  | { what: 'dismiss'; as: string }
  | { what: 'choices'; as: string; channel: string; line: string; option: string }
  | { what: 'menu'; as: string; message: string; command: string }
  | { what: 'delete'; as: string; message: string }
  | { what: 'thread'; as: string; thread: string; to: 'closed' | 'locked' | 'open' }
  | { what: 'edit'; as: string; message: string; content: string };

/** Sends an act and returns its result. Throws an Error with the server's message if it was refused. */
export const postAct = ({ what, ...body }: Act): Promise<unknown> => post(`/act/${what}`, body);

/** Turns a switch on or off, or triggers a one-time action. */
export const postSwitch = (id: string, on?: boolean): Promise<unknown> =>
  post('/switch', { id, ...(on !== undefined && { on }) });

/** Changes the panel's servers. */
export const postStock = (order: {
  do: 'create' | 'rename' | 'suspend' | 'delete';
  id?: number;
  name?: string;
  on?: boolean;
}): Promise<unknown> => post('/stock', order);

const patienceMs = 15_000;

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  }).catch((error: unknown) => {
    // It may still have arrived.
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw new Error(
      isLate
        ? 'The sandbox has not answered for 15 seconds. It may still have happened: look here before you try again.'
        : 'The sandbox cannot be reached. Is it still running?',
    );
  });
  // The HTTP server's own errors may have no JSON.
  const answer: unknown = await response.json().catch(() => ({}));
  const field = (name: string): unknown =>
    typeof answer === 'object' && answer !== null
      ? Object.entries(answer).find(([key]) => key === name)?.[1]
      : undefined;
  if (response.ok) return field('result');
  const problem = field('problem');
  throw new Error(typeof problem === 'string' ? problem : `The sandbox answered with status ${response.status}.`);
}
