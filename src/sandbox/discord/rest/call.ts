import type { Limits } from '../limits.ts';
import type { Upload, World } from '../world.ts';

/** One request, read. */
export interface Call {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  files: Upload[];
}

export interface Answer {
  status: number;
  body?: unknown;
}

/** One row of the REST interface. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v10, with `:name` for what varies. */
  path: string;
  /** True where an interaction's token in the path stands for the bot's. */
  open?: true;
  /** Which of the limits counts it, by channel. */
  limit?: 'posts' | 'edits';
  handle: (world: World, call: Call, limits: Required<Limits>) => Answer;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const done = (): Answer => ({ status: 204 });
