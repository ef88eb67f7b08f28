import { md, oneLine, trusted } from '../card.ts';
import { type AlertCard, alertNamed, firing, serverOn, serversOn, suggestionsOn, waiting } from '../runs/alerts.ts';
import { answer, type Decision, type Press, type Snapshot } from './decision.ts';
import { deniedCard, notHere, nothingLeft, notSent } from './notes.ts';

const right = { id: 'alerts.acknowledge', danger: 'write' } as const;

/** The card whose button it is, and what else the button says: "alert 12-0:15". */
function cardOf({ ledger, rules }: Snapshot, { payload, offered, place }: Press): AlertCard | Decision {
  const card = ledger.alerts.card(alertNamed(payload.split(':')[0] ?? '') ?? '');
  if (card === undefined || !offered) return nothingLeft();
  return rules.answersIn(place) ? card : notHere(right.id);
}

const restOf = ({ payload }: Press): string => payload.slice(payload.indexOf(':') + 1);

/** Acknowledge: this person sees to all that the card showed. */
export function acknowledge(snapshot: Snapshot, press: Press): Decision {
  const card = cardOf(snapshot, press);
  if ('kind' in card) return card;
  const upTo = Number(restOf(press));
  const left = waiting(card).filter(({ seq }) => seq <= upTo);
  if (left.length === 0) {
    const words = 'Nothing that you saw on this card is left to acknowledge: it has ended, or somebody has taken it.';
    return notSent('Acknowledge', trusted(words));
  }
  const { actor, place } = press;
  const about = [undefined, ...serversOn(left)];
  const denied = about
    .map((server) => snapshot.rules.mayAcknowledge(actor.roles, server))
    .find((each) => !each.allowed);
  if (denied?.allowed === false)
    return answer(deniedCard(right, denied, 'Nothing was recorded. Reminders continue.'), {
      denial: { command: right, decision: denied },
      options: { alert: card.id },
    });
  const { guild, channel, message } = place;
  return {
    kind: 'append',
    entries: [{ kind: 'alert', step: 'acknowledged', actor, card: card.id, upTo, place: { guild, channel, message } }],
  };
}

/** Start incident: its title is what fires where; the thread and the timeline have the alerts. */
function incidentOf({ ledger, commands }: Snapshot, card: AlertCard): Decision {
  const begun = ledger.incidents().find(({ opened }) => opened.alert === card.id);
  if (begun !== undefined) {
    const words = md`There is an incident for this card already: <#${trusted(begun.id)}>.`;
    return notSent('Start incident', words);
  }
  const command = commands.find(({ opens }) => opens === 'incident')?.id;
  if (command === undefined) return nothingLeft();
  const server = serverOn(card);
  const titles = [...new Set(firing(card).map(({ news }) => news.title))];
  const where = server === undefined ? '' : ` on ${server.name ?? server.id}`;
  // What a cut leaves of a letter is no letter.
  const title = `${oneLine(titles.join(', ').slice(0, longestTitle - where.length))}${where}`;
  return { kind: 'command', command: { command, options: { title }, alert: card.id } };
}

/** Discord's limit for the name of a thread. */
const longestTitle = 100;

/** What else a card of alerts offers, as if the person had typed it: of the alerts, only the server's id is in the command. */
export function respond(snapshot: Snapshot, press: Press): Decision {
  const card = cardOf(snapshot, press);
  if ('kind' in card) return card;
  const server = serverOn(card);
  const [kind = '', nth] = restOf(press).split(':');
  if (kind === 'incident') return incidentOf(snapshot, card);
  if (server === undefined) return nothingLeft();
  if (kind === 'server' || kind === 'changes') {
    const command = snapshot.commands.find(({ shows }) => shows === kind)?.id;
    const options = { server: String(server.id), ...(kind === 'changes' ? { since: '24h' } : {}) };
    return command === undefined ? nothingLeft() : { kind: 'command', command: { command, options } };
  }
  const found = suggestionsOn(card, snapshot.rules.suggested)[Number(nth)];
  // The policy may have been reloaded since: what the label said is what is asked.
  if (found === undefined || found.id !== kind) return nothingLeft();
  return { kind: 'command', command: { command: found.id, options: found.options, isSuggested: true } };
}
