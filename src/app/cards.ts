import { commands } from '../../commands/index.ts';
import type { Card } from '../card.ts';
import type { Threads } from '../cards/closed-thread.ts';
import { type Drawn, type DrawParts, draw, knownOf, type Place, placeOf } from '../cards/draw.ts';
import type { Wording } from '../cards/due.ts';
import type { EditorParts } from '../cards/editor.ts';
import type { Messages } from '../cards/messages.ts';
import { type Cards, createReconciler, type Pace } from '../cards/reconciler.ts';
import { alertCard, beside, firedCard, firesCard, type Known, runReminder } from '../cards/render/index.ts';
import type { Seal } from '../cards/seal.ts';
import { preparedOf } from '../decide/authorize.ts';
import { mayBreakGlass } from '../decide/denial.ts';
import type { Rules } from '../decide/rules.ts';
import type { Observe } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import { type AlertCard, alertNamed, firing, suggestionsOn } from '../runs/alerts.ts';
import { invocationOf } from '../runs/ids.ts';
import { createOutbox, type Outbox } from '../shell/outbox.ts';
import { counts, gather } from '../view/handover.ts';
import { shiftCard } from '../view/on-call.ts';
import type { Store } from './store.ts';

interface Around extends Pick<Store, 'ledger' | 'cardStore'> {
  messages: Messages;
  threads: Threads;
  elsewhere(): readonly string[];
  mayDraw: EditorParts['mayDraw'];
  rules: Rules;
  recipients: DrawParts['recipients'];
  seal: Seal;
  pace?: Partial<Pace> | undefined;
  lookOf: DrawParts['lookOf'];
  canLook: DrawParts['canLook'];
  now(): number;
  observe?: Observe;
  log: Log;
}

export interface CardRenderer {
  cards: Cards;
  /** With what it could not take yet, which is on cards already. */
  ledger: Store['ledger'] & Outbox;
  wording: Wording;
  /** The card of an invocation, as it is drawn now. */
  cardOf(id: string): Card | undefined;
}

/** Creates the card updater with everything that rendering needs. */
export function cardRenderer({ ledger, rules, seal, lookOf, now, log, ...around }: Around): CardRenderer {
  const outbox: Outbox = createOutbox(ledger, (id) => cards.mark(id), log);
  const drawing: DrawParts = {
    records: ledger,
    unrecorded: outbox.unrecorded,
    find: rules.find,
    lookOf,
    canLook: around.canLook,
    command: (id) => commands.find((command) => command.id === id),
    prepare: (of) => preparedOf({ commands, rules, now }, of),
    recipients: around.recipients,
    mayBreakGlass: (roles, id, servers) => mayBreakGlass({ rules, commands }, roles, id, servers),
    approvers: rules.approvers,
    thawers: rules.thawers,
    thawersToAsk: () => rules.toAsk(rules.thawers()),
    seal: seal.of,
  };
  const cards: Cards = createReconciler({
    store: around.cardStore,
    messages: around.messages,
    threads: around.threads,
    elsewhere: around.elsewhere,
    ledger,
    mayDraw: around.mayDraw,
    placeOf: (id, opened) => (alertNamed(id) === undefined ? placeOf(drawing, id, opened) : alertOf(id)?.place),
    draw: (id, opened) => (alertNamed(id) === undefined ? draw(drawing, id, opened) : alertOf(id)?.drawn),
    pace: around.pace,
    observe: around.observe,
    now,
    log,
  });
  const draftOf = (of: AlertCard): Card => firedCard(of, ledger, now(), suggestionsOn(of, rules.suggested));
  const fired = (id: string, card: (of: AlertCard) => Card): Card | undefined => {
    const of = ledger.alerts.card(id);
    return of && card(of);
  };
  /** A card of alerts, once it is somewhere. */
  function alertOf(name: string): { place: Place; drawn: Drawn } | undefined {
    const of = ledger.alerts.card(alertNamed(name) ?? '');
    const place = of?.shown?.place;
    if (of === undefined || place?.message === undefined) return undefined;
    const isOver = firing(of).length === 0;
    return {
      place,
      drawn: { ...place, pings: of.shown?.pings, card: draftOf(of), blank: false, terminal: isOver, others: [] },
    };
  }
  const drawn = (id: string, card: (of: Known) => Card | undefined): Card | undefined => {
    const known = knownOf(drawing, id);
    return known && card(known);
  };
  return {
    cards,
    ledger: { ...ledger, ...outbox },
    cardOf: (id) => draw(drawing, id)?.card,
    wording: {
      beside: (of, id) => drawn(id, (known) => beside[of](known, drawing)),
      unread: (run, n) => drawn(invocationOf(run), (of) => runReminder(of, run, n, drawing)),
      shift: (of) => shiftCard(of, counts(gather(ledger, () => true, now()))),
      alert: alertCard,
      fired: (id) => fired(id, draftOf),
      fires: (id) => fired(id, firesCard),
    },
  };
}
