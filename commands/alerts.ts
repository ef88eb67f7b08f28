import {
  count,
  joined,
  linkTo,
  list as listed,
  type Markup,
  md,
  moment,
  quote,
  serverName,
  trusted,
} from '../src/card.ts';
import { defineLocal } from '../src/command.ts';
import { type AlertCard, type Episode, firing, waiting } from '../src/runs/alerts.ts';
import { shownOf, slice } from './pages.ts';

const itemsPerPart = 10;

const list = defineLocal({
  id: 'alerts.list',
  danger: 'read',
  needs: 'alerts',
  description: 'What is firing now, by the alerts that other systems send',
  example: '/alerts list',
  options: {},
  title: () => trusted('What is firing'),
  act(_input, { records, may, part, options }) {
    const all = records.alerts
      .open()
      .flatMap((card) => firing(card).map((episode) => ({ card, episode })))
      .filter(({ episode: { news } }) => (news.servers ?? []).every(may));
    if (all.length === 0) return { fact: trusted('Nothing that you may see is firing.'), body: [] };
    const open = all.filter(({ card, episode }) => waiting(card).includes(episode)).length;
    const shown = slice(all, part, itemsPerPart, options);
    return {
      fact: md`${trusted(count(all.length, 'alert'))}, ${open} of them not acknowledged.`,
      body: [...shown.items.map(({ card, episode }) => lineOf(card, episode)), ...shownOf(shown, 'alerts')],
      ...shown.positions,
    };
  },
});

/** "`HostDown` on web-1 (101) since 2 hours ago, acknowledged, card" */
function lineOf(card: AlertCard, episode: Episode): Markup {
  const { title, servers = [], since } = episode.news;
  const where = servers.length === 0 ? trusted('') : md` on ${listed(servers.map(serverName))}`;
  const place = card.shown?.place;
  const message = place?.message;
  return joined(
    [
      md`${quote(title, 80)}${where} since ${moment(Date.parse(since))}`,
      ...(waiting(card).includes(episode) ? [] : [trusted('acknowledged')]),
      ...(place === undefined || message === undefined ? [] : [linkTo('card', { ...place, message })]),
    ],
    ', ',
  );
}

export const alertCommands = [list];
