import { z } from 'zod';
import { parse } from './answer.ts';

const query = z.object({
  results: z.coerce.number().int().min(1).max(200).default(20),
  page: z.coerce.number().int().min(1).default(1),
});

/** One page of the records in the panel's envelope; 422 unless `results` is 1 to 200 and `page` at least 1. */
export function paginate(records: unknown[], asked: Record<string, unknown>, path: string): Record<string, unknown> {
  const { results, page } = parse(query, asked);
  const last = Math.max(1, Math.ceil(records.length / results));
  const data = records.slice((page - 1) * results, page * results);
  const from = data.length === 0 ? 0 : (page - 1) * results + 1;
  const urlOf = (number: number) =>
    number >= 1 && number <= last ? `${path}?results=${results}&page=${number}` : null;
  const numbered = Array.from({ length: last }, (_, index) => ({
    url: urlOf(index + 1),
    label: String(index + 1),
    active: index + 1 === page,
  }));
  return {
    current_page: page,
    data,
    first_page_url: urlOf(1),
    from,
    last_page: last,
    last_page_url: urlOf(last),
    links: [
      { url: urlOf(page - 1), label: '&laquo; Previous', active: false },
      ...numbered,
      { url: urlOf(page + 1), label: 'Next &raquo;', active: false },
    ],
    next_page_url: urlOf(page + 1),
    path,
    per_page: results,
    prev_page_url: urlOf(page - 1),
    to: data.length === 0 ? 0 : from + data.length - 1,
    total: records.length,
  };
}
