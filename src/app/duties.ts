import { acknowledge } from '../../commands/audit-acknowledge.ts';
import type { ReceiveParts } from '../alerts/receive.ts';
import { type AnnouncerPace, type AnnouncerParts, createAnnouncer } from '../cards/announcer.ts';
import type { Alarm, Alerting } from '../cards/due.ts';
import type { Rules } from '../decide/rules.ts';
import type { Bot } from '../discord/bot.ts';
import { keepPins } from '../handover/pin.ts';
import { tellNews } from '../incidents/news.ts';
import type { Log, Server } from '../outcome.ts';
import { acknowledgement, rolesFor } from '../policy/decide.ts';
import type { LivePolicy } from '../policy/live.ts';
import { pinged, pingsToAsk, recipientsOf } from '../policy/notify.ts';
import type { Policy } from '../policy/schema.ts';
import { firing } from '../runs/alerts.ts';
import type { Seals } from '../trail/seals.ts';
import type { CardRenderer } from './cards.ts';
import type { AppOptions, DutyIntervals } from './options.ts';
import type { Closing, Store } from './store.ts';

const usual: DutyIntervals = { pins: 15_000, news: 5_000 };

interface Around extends Pick<Store, 'ledger'>, Pick<CardRenderer, 'cards' | 'wording'> {
  policy: Pick<LivePolicy, 'current'>;
  bot: Pick<Bot, 'messages' | 'pinnedMessages' | 'incidentThreads'>;
  rules: Pick<Rules, 'approvers' | 'thawers'>;
  onCall: { pings: (roles?: readonly string[]) => readonly string[]; handovers: AnnouncerParts['shifts'] };
  heard: Alerting['heard'];
  audit?: string | undefined;
  /** Channels for what cannot be said where its card is. */
  elsewhere(): readonly string[];
  guild: string;
  log: Log;
  seals: Seals;
  now(): number;
  intervals?: Partial<DutyIntervals> | undefined;
  pace?: Partial<AnnouncerPace> | undefined;
}

/** What the bot does beside commands and clicks: alarms, and the pinned counts if the policy asks for them. */
export function startDuties(around: Around, closing: Closing): { troubles(): readonly string[] } {
  const { current } = around.policy;
  const { ledger, bot, log, now, rules, onCall } = around;
  const { pins: every, news } = { ...usual, ...around.intervals };
  const toAsk = (roles: readonly string[], requester: string) =>
    pingsToAsk(current(), roles, requester, () => onCall.pings(roles));
  const announcer = createAnnouncer({
    ...{ ledger, cards: around.cards, wording: around.wording, messages: bot.messages, now, log },
    readable: () => current().restoreStatus !== undefined,
    recipients: (news, requester) => recipientsOf(current(), news, requester, onCall.pings),
    approvers: (servers, asks) =>
      asks === undefined
        ? rules.approvers(servers).map((role) => `&${role}`)
        : toAsk(rules.approvers(servers, asks.command), asks.requester),
    thawers: (requester) => toAsk(rules.thawers(), requester),
    shifts: onCall.handovers,
    alarm: () => alarmOf(current(), around),
    alerting: () => alertingOf(current(), around),
    elsewhere: around.elsewhere,
    pace: around.pace,
  });
  closing.push(() => announcer.close());
  const telling = tellNews({ ledger, threads: bot.incidentThreads, every: news });
  closing.push(() => telling.close());
  const pins = keepPins({
    ledger,
    messages: bot.pinnedMessages,
    channels: () => (current().handoverPin ? (current().channels ?? []) : []),
    every,
    now,
    log,
  });
  closing.push(() => pins.close());
  return pins;
}

/** Where alerts of other systems are shown, and whom they ping. */
function alertingOf(
  policy: Policy,
  { guild, rules, onCall, heard }: Pick<Around, 'guild' | 'rules' | 'onCall' | 'heard'>,
): Alerting | undefined {
  const { alerts } = policy;
  if (alerts === undefined) return undefined;
  const { channel, 'stale-after': staleAfter, remind, ping } = alerts;
  const pings: Alerting['pings'] = (servers) =>
    ping === undefined ? acknowledgersOf(rules, servers).map((role) => `&${role}`) : pinged(policy, ping, onCall.pings);
  return { guild, channel, staleAfter, remind, heard, pings };
}

/** Who may acknowledge on all of these servers; or else on some of them; or else on any: somebody must hear of it. */
function acknowledgersOf({ approvers }: Around['rules'], servers: readonly Server[]): readonly string[] {
  const may = (all: readonly Server[]): readonly string[] => approvers(all, acknowledgement.id);
  const ofAll = may(servers);
  if (ofAll.length > 0) return ofAll;
  const ofSome = new Set(servers.flatMap((each) => may([each])));
  return ofSome.size > 0 ? [...ofSome] : may([]);
}

/** Where people are who may do something about it: not in the channel that somebody meddles with, if there is another. */
export function alarmOf(
  policy: Policy,
  { audit, guild, ledger, seals }: Pick<Around, 'audit' | 'guild' | 'ledger' | 'seals'>,
): Alarm | undefined {
  const channel = policy.channels?.[0] ?? audit;
  if (channel === undefined) return undefined;
  const roles = rolesFor(policy, acknowledge);
  return { guild, channel, roles, seal: (entry) => seals.of(entry, ledger.entries()) };
}

interface Receiving extends Pick<Store, 'ledger'>, Pick<ReceiveParts, 'find' | 'now'> {
  policy: Pick<LivePolicy, 'current'>;
  log: Log;
}

/** From now on this process takes alerts, where they come in. What takes them is loaded only then. */
export async function startAlerts(
  { alerts }: Pick<AppOptions, 'alerts'>,
  { policy, ...around }: Receiving,
  appending: Closing,
): Promise<Pick<Alerting, 'heard'>> {
  const begun = around.now();
  let again: (of: { source: string; key: string }) => number = () => 0;
  if (alerts !== undefined) {
    const { createReceive } = await import('../alerts/receive.ts');
    const receiver = createReceive({ ...around, rules: () => policy.current().alerts, pause: alerts.pause });
    again = receiver.heard;
    alerts.take(receiver.receive);
    appending.push(receiver.close);
    if (policy.current().alerts === undefined)
      around.log.warn(
        {},
        'ALERTS_PORT is set, but the policy has no alerts: none are taken until it says where to show them',
      );
  }
  return {
    // What was said again is in no entry: a new process counts from then.
    heard: (card) => Math.max(...firing(card).map(({ news, heard }) => Math.max(heard, begun, again(news)))),
  };
}
