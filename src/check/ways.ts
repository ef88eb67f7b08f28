import type { Config } from '../config.ts';
import { proxyFor } from '../proxy.ts';

/** How Discord, the panel and the collectors are reached, if anything of it goes through a proxy; never its password. */
export function waysOf({ discord, panel, tracesUrl, metricsUrl }: Config): string | undefined {
  const sides = [
    { who: 'Discord', url: discord.kind === 'real' ? (discord.apiUrl ?? 'https://discord.com/api') : undefined },
    { who: 'the panel', url: panel.kind === 'real' ? panel.url : undefined },
    { who: 'the collector of traces', url: tracesUrl },
    { who: 'the collector of metrics', url: metricsUrl },
  ];
  const ways = sides.flatMap(({ who, url = '' }) => (url === '' ? [] : [{ who, proxy: proxyFor(url) }]));
  if (ways.every(({ proxy }) => proxy === undefined)) return undefined;
  return ways
    .map(({ who, proxy }) => `${who} ${proxy === undefined ? 'directly' : `through ${proxy.protocol}//${proxy.host}`}`)
    .join(', ');
}
