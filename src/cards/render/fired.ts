import {
  type Button,
  type Card,
  count,
  joined,
  list,
  type Markup,
  md,
  moment,
  momentBefore,
  quote,
  serverLabel,
  serverName,
  trusted,
} from '../../card.ts';
import {
  type AlertCard,
  alertName,
  type Episode,
  firing,
  newestOf,
  type Suggestion,
  serverOn,
  serversOn,
  waiting,
} from '../../runs/alerts.ts';
import type { Records } from '../../runs/book.ts';
import type { EntryServer } from '../../runs/entry.ts';
import { freezesOf, type Stops } from '../../runs/freezes.ts';
import { isUnknown, mayBeDone } from '../../runs/state.ts';
import { stopLine, typedName } from '../../view/words.ts';
import { button } from '../buttons.ts';

type Asked = Pick<Records, 'outcomes' | 'run'> & Stops;

const day = 86_400_000;
/** The most alerts that a card names: beyond that it counts. */
const mostNamed = 8;

/** The card of alerts of other systems: what, where, and what happened there before. */
export function firedCard(card: AlertCard, records: Asked, now: number, suggestions: readonly Suggestion[]): Card {
  const all = [...card.episodes.values()];
  const open = firing(card);
  const server = serverOn(card);
  return {
    ...first(card, all),
    ...(open.length === 0 ? { isPast: true } : {}),
    fact: where(all),
    body: [
      ...[...open, ...all.filter(({ ended }) => ended !== undefined)]
        .slice(0, mostNamed)
        .map((each) => line(each, all.length)),
      ...(all.length > mostNamed ? [trusted(`${all.length - mostNamed} more. /alerts list has what fires.`)] : []),
      ...(card.truncated > 0 ? [trusted(`${count(card.truncated, 'alert')} more that ${card.source} left out.`)] : []),
      ...(server === undefined ? [] : before(server, records, Date.parse(card.opened), now)),
      ...(card.silent === undefined
        ? []
        : [
            md`Nothing has been heard of it since ${moment(Date.parse(card.silent), 'f')}: it may have ended or been silenced. Nobody is reminded anymore.`,
          ]),
    ],
    small: signatures(card),
    buttons: buttonsOf(card, server, suggestions),
    run: alertName(card.id),
  };
}

function buttonsOf(card: AlertCard, server: EntryServer | undefined, suggestions: readonly Suggestion[]): Button[] {
  const name = alertName(card.id);
  const to = (label: string, what: string): Button => button(label, 'respond', `${name}:${what}`);
  return [
    ...(waiting(card).length > 0 ? [button('Acknowledge', 'acknowledge', `${name}:${newestOf(card)}`)] : []),
    ...(firing(card).length > 0 ? [to('Start incident', 'incident')] : []),
    ...(server === undefined ? [] : [to('Show server', 'server'), to('What changed', 'changes')]),
    ...suggestions.map(({ id }, nth) =>
      to(`${typedName(id)} ${server?.name ?? server?.id ?? ''}`.slice(0, 80), `${id}:${nth}`),
    ),
  ];
}

/** Below the card, for the ping: what still fires that nobody has acknowledged. */
export function firesCard(card: AlertCard): Card {
  const left = waiting(card);
  return {
    ...first(card, left),
    fact: where(left),
    body: left.slice(-mostNamed).map((each) => line(each, left.length)),
    next: [trusted('Nobody has acknowledged it. Press Acknowledge on the card if you take it.')],
    run: `${alertName(card.id)} · ping ${card.told.times}`,
  };
}

function first(
  { source, ...card }: AlertCard,
  episodes: readonly Episode[],
): Pick<Card, 'state' | 'command' | 'subject'> {
  const titles = [...new Set(episodes.map(({ news }) => news.title))];
  const severities = [...new Set(episodes.flatMap(({ news }) => news.severity ?? []))];
  const isOver = firing(card).length === 0;
  const named = list([
    ...titles.slice(0, 2).map((title) => quote(title, 80)),
    ...(titles.length > 2 ? [trusted(`${titles.length - 2} more`)] : []),
  ]);
  const more = [...severities.slice(0, 2).map((each) => quote(each)), ...(isOver ? [trusted('resolved')] : [])];
  return { state: 'alert', command: source, subject: joined([named, ...more], ' · ') };
}

function where(episodes: readonly Episode[]): Markup {
  const servers = serversOn(episodes);
  const [only] = servers;
  const isTorn = episodes.some(({ news }) => (news.servers ?? []).length > 1);
  const named = [...new Set(episodes.flatMap(({ news }) => news.named ?? []))];
  const names = list(named.slice(0, 3).map((each) => quote(each, 60)));
  const unknown = named.length === 0 ? [] : [md`${names}, which the policy does not list for this source`];
  if (servers.length === 0)
    return unknown.length === 0 ? trusted('It names no server.') : md`It names ${list(unknown)}.`;
  const known =
    servers.length === 1 && only !== undefined ? serverLabel(only) : list(servers.slice(0, 3).map(serverName));
  const more = servers.length > 3 ? [trusted(`${servers.length - 3} more servers`)] : [];
  const all = list([known, ...more, ...unknown]);
  return isTorn ? md`${all}: its labels disagree` : all;
}

/** "firing since 5 minutes ago: `no answer`" */
function line({ news, since, ended }: Episode, of: number): Markup {
  const { title, servers = [], summary, link, runbook } = news;
  const which =
    of === 1
      ? trusted('')
      : md` ${quote(title, 80)}${servers.length === 0 ? trusted('') : md` on ${list(servers.map(serverName))}`}`;
  const how =
    ended === undefined
      ? md`Firing since ${moment(since)}`
      : md`Resolved ${moment(Date.parse(ended))}, fired ${momentBefore(Date.parse(ended), since)}`;
  const links = [...to('source', link), ...to('runbook', runbook)];
  const words = summary === undefined ? trusted('.') : md`: ${summary}`;
  return joined([md`${how}${which}${words}`, ...links], ' ');
}

/** The host was allowed when it came. Angle brackets hold what would end a link; a URL has none of its own. */
const to = (words: string, url: string | undefined): Markup[] =>
  url === undefined ? [] : [trusted(`[${words}](<${url.replaceAll('`', '%60').replace(/[<>]/g, '')}>)`)];

/** "2 changes, 1 unknown there in the 24 hours before." Who did what is for those who may see it. */
function before(server: EntryServer, records: Asked, opened: number, now: number): Markup[] {
  const outcomes = records.outcomes(server.id);
  const counts = { changes: 0, failed: 0, unknown: 0 };
  for (let at = outcomes.length - 1; at >= 0; at -= 1) {
    const entry = outcomes.at(at);
    const time = Date.parse(entry?.time ?? '');
    if (entry === undefined || time < opened - day) break;
    if (time > opened) continue;
    const state = records.run(entry.run);
    if (state === undefined) continue;
    if (isUnknown(state)) counts.unknown += 1;
    else if (mayBeDone(state)) counts.changes += 1;
    // It had begun, as a restore that failed halfway: that may be why it fires.
    else if (state.followUp?.ended?.end === 'failed') counts.failed += 1;
  }
  const words = [
    ...(counts.changes > 0 ? [count(counts.changes, 'change')] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.unknown > 0 ? [`${counts.unknown} unknown`] : []),
  ];
  const hold = records.hold(server.id, now);
  return [
    words.length === 0
      ? trusted('No changes there in the 24 hours before.')
      : trusted(`${words.join(', ')} there in the 24 hours before. **What changed** says who did what.`),
    ...[...freezesOf(records, server, now), ...(hold === undefined ? [] : [hold])].map(
      (stop) => md`${stopLine(stop)}.`,
    ),
  ];
}

const signatures = ({ acknowledged }: AlertCard): Markup[] =>
  acknowledged
    .slice(-3)
    .map(({ actor, time }) => md`Acknowledged by <@${trusted(actor.id)}> ${moment(Date.parse(time))}`);
