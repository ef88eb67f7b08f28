import type { Entry } from '../ledger/entry.ts';
import { isIn, type Message } from './compare.ts';
import { unrecorded } from './known.ts';
import { beginOf, type Posted } from './place.ts';
import { postedIn } from './reader.ts';

const older = (a: string, b: string): boolean => BigInt(a) < BigInt(b);

/**
 * What a message that nobody knew stood for, if the trail has a gap where it was. `page` is what stands about it, newest first,
 * of which `half` before it unless the channel begins there. Undefined: it was none of the trail's, or it is told of already.
 */
export function goneBetween(
  message: string,
  page: readonly Message[],
  entries: readonly Entry[],
  channel: string,
  half = 50,
): Omit<Posted, 'head'> | undefined {
  const trail = postedIn(page).filter((each) => isIn(entries, each));
  const before = trail.find((each) => older(each.message, message));
  const after = trail.findLast((each) => older(message, each.message));
  const isBegin = page.filter(({ id }) => older(id, message)).length < half;
  const reach = before?.to ?? (isBegin ? (beginOf(entries, channel) ?? 1) - 1 : undefined);
  if (reach === undefined || after === undefined || after.from <= reach + 1) return undefined;
  const gap = { finding: 'missing' as const, message: after.message, from: reach + 1, to: after.from - 1 };
  const [first] = unrecorded([gap], entries, channel);
  return first === undefined ? undefined : { message, from: first.from ?? gap.from, to: first.to ?? gap.to };
}
