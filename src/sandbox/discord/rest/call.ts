import type { Limits } from '../limits.ts';
import type { Upload, World } from '../world.ts';

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

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v10, with `:name` for parameters. */
  path: string;
  /** True if the interaction token in the path replaces the bot's token. */
  open?: true;
  /** The rate limit that applies, per channel. */
  limit?: 'posts' | 'edits';
  handle: (world: World, call: Call, limits: Required<Limits>) => Answer;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const done = (): Answer => ({ status: 204 });
