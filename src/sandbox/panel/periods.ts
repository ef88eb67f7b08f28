/** A billing period; its number is not a calendar month. */
interface Period {
  month: number;
  start: string;
  end: string;
}

interface TrafficBlock extends Period {
  id: number;
  current: boolean;
  /** GB */
  traffic: number;
  added: string;
}

export interface Traffic {
  assigned: TrafficBlock[];
  /** The number of the current period. */
  currentMonth: number;
  periods: Period[];
}

/** ISO 8601 with offset, without fractions: `2026-11-19T22:00:00+00:00`. */
export function withOffset(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

/** The current period is the last one that has begun: the clock ran on while the panel was off. */
export function advance(traffic: Traffic, now: Date): void {
  const begun = traffic.periods.filter(({ start }) => Date.parse(start) <= now.getTime());
  traffic.currentMonth = begun.at(-1)?.month ?? traffic.currentMonth;
  for (const block of traffic.assigned) block.current = block.month === traffic.currentMonth;
}

/** 25 periods of a calendar month each; `now` is in the first one. */
export function createTraffic(now: Date): Traffic {
  const firstOf = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
  const periods = Array.from({ length: 25 }, (_, index) => ({
    month: index + 1,
    start: withOffset(firstOf(index)),
    end: withOffset(new Date(firstOf(index + 1).getTime() - 1000)),
  }));
  return { assigned: [], currentMonth: 1, periods };
}
