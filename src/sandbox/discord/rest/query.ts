import { invalidForm } from '../refusal.ts';

/** The `limit` of a query, from 1 to `max`; default `usual`. */
export function limitIn(query: URLSearchParams, max: number, usual: number): number {
  const limit = Number(query.get('limit') ?? usual);
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  const code = limit > max ? 'NUMBER_TYPE_MAX' : limit < 1 ? 'NUMBER_TYPE_MIN' : 'NUMBER_TYPE_COERCE';
  throw invalidForm({ limit: { _errors: [{ code, message: `int value should be between 1 and ${max}.` }] } });
}
