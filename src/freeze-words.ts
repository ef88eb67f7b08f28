import { type Markup, md, moment, trusted } from './card.ts';
import type { Kind } from './runs/entry.ts';
import type { Stop } from './runs/open-events.ts';

/** What is frozen: "all servers", "tier `production`". */
export const scopeOf = ({ tier }: Pick<Kind<'frozen'>, 'tier'>): Markup =>
  tier === undefined ? trusted('all servers') : md`tier ${tier}`;

/** `/thaw`, `/thaw tier:production`: what ends a freeze. */
export const thawLine = (tier: string | undefined): string =>
  tier === undefined ? '/thaw' : `/thaw tier:${/\s/.test(tier) ? `"${tier}"` : tier}`;

/** "22 November 2026 22:00 (in 2 hours) by @alice: `migration`" */
const ending = ({ until, actor, why }: Stop): Markup => {
  const at = Date.parse(until);
  // An end that cannot be read never comes.
  const end = Number.isNaN(at) ? md`${until}` : md`${moment(at, 'f')} (${moment(at)})`;
  return md`${end} by <@${trusted(actor.id)}>: ${why}`;
};

/** "All servers are frozen until … by @alice: `migration`"; "Held until … by @bob: `disk swap`" */
export const stopLine = (stop: Stop): Markup =>
  stop.kind === 'frozen' ? md`${frozen(stop)} frozen until ${ending(stop)}` : md`Held until ${ending(stop)}`;

const frozen = ({ tier }: Pick<Kind<'frozen'>, 'tier'>): Markup =>
  tier === undefined ? trusted('All servers are') : md`Tier ${tier} is`;
