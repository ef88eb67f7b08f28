import { count, linkTo, list, type Markup, md, serverName, trusted, urlOf } from '../src/card.ts';
import { defineLocal, type Hindrance, type Option, type Tools, type View } from '../src/command.ts';
import { madeAt } from '../src/outcome.ts';
import type { Incident } from '../src/runs/incident.ts';
import { isBlank } from '../src/text.ts';
import { spanText } from '../src/time.ts';
import { leftBy } from '../src/view/handover.ts';
import { isOfRun, select } from '../src/view/select.ts';
import { unfinished } from '../src/view/unfinished.ts';
import { stopLine } from '../src/view/words.ts';
import { readableLine } from './options.ts';

/** Discord's limit for a thread name. */
const maxTitleLength = 100;

const title: Option<string> = {
  type: 'string',
  description: 'What is happening, in a few words: the name of the thread',
  required: true,
  max: maxTitleLength,
  read(raw, { refuse }) {
    const line = readableLine(raw, { refuse });
    return line.length > maxTitleLength ? refuse(`at most ${maxTitleLength} characters`) : line;
  },
};

const threadOf = ({ id }: Pick<Incident, 'id'>): Markup => trusted(`<#${id}>`);
const invalid = (...body: Markup[]): View => ({ outcome: 'invalid', body });
const howToStart = trusted('/incident start begins one.');

/** Why the Discord request failed, what to do, and the remaining state. */
const hindranceView = (hindrance: Hindrance, left: string): View => ({
  outcome: 'unavailable',
  body: [...why(hindrance), trusted(left)],
});

function why(hindrance: Hindrance): Markup[] {
  switch (hindrance.kind) {
    case 'lacks':
      return [
        md`The bot lacks ${list(hindrance.rights.map((right) => md`**${trusted(right)}**`))} here.`,
        trusted("Give it that in the channel's settings, or to its role, then type this again."),
      ];
    case 'gone':
      return [trusted('Discord no longer has the channel or the message.')];
    case 'refused':
      return [md`Discord refused it: ${hindrance.said}`, trusted('Fix that, then type this again.')];
    case 'down':
      return [
        trusted('That did not work: Discord cannot be reached, or failed.'),
        trusted('Type it again in a minute.'),
      ];
  }
}

const opened = ({ id, title: name }: Pick<Incident, 'id' | 'title'>): View => ({
  body: [
    md`The incident ${name} is open in ${threadOf({ id })}.`,
    trusted('Type commands there: only those are in its timeline, which /incident end posts.'),
  ],
});

const start = defineLocal({
  id: 'incident.start',
  opens: 'incident',
  danger: 'write',
  description: 'Open a thread for an incident; what is done there makes its timeline',
  example: '/incident start title:"web-1 does not answer"',
  options: { title },
  async act(input, { incidents, actor, place, card, alert }) {
    if (place.parent !== undefined) return invalid(trusted('A thread cannot have threads. Type it in a channel.'));
    if (card === undefined) throw new Error('an incident starts at the card of its command');
    const { guild, channel } = place;
    const done = await incidents.start(input.title, actor, { guild, channel, card }, alert);
    if (done === 'opened') return opened({ id: card, title: input.title });
    if (done === 'unrecorded') {
      const body = [
        trusted('The ledger cannot be written, so there is no incident: ignore the thread that was opened here.'),
        trusted(
          'Tell whoever runs the bot: the disk of its DATA_DIR, or its Redis, may be full or broken. Then type it again.',
        ),
      ];
      return { outcome: 'unavailable', body };
    }
    // Whether Discord executed it is then unknown.
    const perhaps = done.kind === 'down' ? ' If a thread was opened here, it belongs to no incident.' : '';
    return hindranceView(done, `Nothing was recorded.${perhaps}`);
  },
  async resume({ records, incidents, card }) {
    const found = records.incidents().find(({ id }) => id === card);
    if (found === undefined) {
      const body = [
        trusted('The bot stopped before it was recorded, so there is no incident.'),
        trusted('If a thread was opened here, ignore it. Start the incident again.'),
      ];
      return { outcome: 'not-sent', body };
    }
    if (found.ended === undefined) await incidents.greet(found.id);
    return opened(found);
  },
});

/** The incident of a thread, else the only open one; or why there is none. `elsewhere`: what to do instead. */
function incidentIn(channel: string, { records }: Pick<Tools, 'records'>, ...elsewhere: Markup[]): Incident | View {
  const all = records.incidents();
  const here = all.find(({ id }) => id === channel);
  if (here !== undefined) return here;
  const open = all.filter(({ ended }) => ended === undefined);
  const [only] = open;
  if (only === undefined) return invalid(trusted('No incident is open.'), howToStart);
  if (open.length === 1) return only;
  return invalid(
    md`Several incidents are open: ${list(open.slice(-maxNamed).map(threadOf))}.`,
    trusted('Type it in the thread of the one you mean. Nothing was changed.'),
    ...elsewhere,
  );
}

const maxNamed = 10;

const over = ({ id, title: name }: Incident): View =>
  invalid(md`The incident ${name} has already ended: ${threadOf({ id })}. Nothing was changed.`);

const ended = async (incident: Incident, tools: Pick<Tools, 'records' | 'now'>): Promise<View> => ({
  body: [
    md`The incident ${incident.title} has ended${took(incident, tools)}. Its timeline is in ${threadOf(incident)}.`,
    ...(await stillOpen(incident, tools)),
    trusted('The thread stays; what is done there from now on does not belong to it.'),
  ],
});

/** ", after 2 h 5 min" */
function took({ id }: Incident, { records }: Pick<Tools, 'records'>): Markup {
  const { opened: begun, ended: over } = records.incidents().find((each) => each.id === id) ?? {};
  if (begun === undefined || over === undefined) return trusted('');
  return trusted(` after ${spanText(Date.parse(over.time) - Date.parse(begun.time))}`);
}

/** Entries after the end are in the ledger, but not in the posted file. */
async function stillOpen(incident: Incident, tools: Pick<Tools, 'records' | 'now'>): Promise<Markup[]> {
  const open = await notOver(incident, tools);
  const later = `/audit export incident:${incident.id} format:md`;
  return open.length === 0 ? [] : [...open, md`What ends later: ${later} has it.`];
}

/** Unusual states, freezes and holds that were made in its thread and last. */
function leftIn({ id, opened: begun }: Incident, { records, now }: Pick<Tools, 'records' | 'now'>): Markup[] {
  const stops = [...records.freezes(now), ...records.holds(now)].filter(
    ({ place, seq }) => place.channel === id && seq > begun.seq,
  );
  const words = stops.map((stop) =>
    stop.kind === 'held' ? md`${serverName(stop.server)}: ${stopLine(stop)}.` : md`${stopLine(stop)}.`,
  );
  return [...leftBy(records, id, begun.seq), ...words];
}

async function notOver(incident: Incident, tools: Pick<Tools, 'records' | 'now'>): Promise<Markup[]> {
  const { id, opened: begun } = incident;
  // Entries before the start do not belong to the incident. Numbers count from 1.
  const entries = await select(tools.records.entries().slice(begun.seq - 1), { incident: id });
  const left = leftIn(incident, tools);
  return [
    ...unfinished(entries.slice().filter(isOfRun)),
    ...left,
    ...(left.length === 0 ? [] : [trusted('Is that meant to stay? /handover keeps listing it.')]),
  ];
}

const end = defineLocal({
  id: 'incident.end',
  danger: 'write',
  description: 'End the incident of this thread, or the only open one, and post its timeline',
  example: '/incident end',
  options: {},
  asks(_input, { records, place, now }) {
    const incident = incidentIn(place.channel, { records });
    if ('body' in incident || incident.ended !== undefined) return undefined;
    const left = leftIn(incident, { records, now });
    return left.length === 0
      ? undefined
      : {
          label: 'End the incident',
          fact: md`${trusted(count(left.length, 'thing'))} ${trusted(left.length === 1 ? 'is' : 'are')} still in place here. End the incident?`,
          next: [...left, trusted('/handover keeps listing what stays.')],
        };
  },
  async act(_input, { incidents, records, actor, place, card, now }) {
    const incident = incidentIn(place.channel, { records });
    if ('body' in incident) return incident;
    const done = await incidents.end(incident.id, actor, card === undefined ? place : { ...place, message: card });
    if (done === 'over') return over(incident);
    if (done === 'ended') return ended(incident, { records, now });
    if (done === 'unposted')
      return {
        body: [
          md`The incident ${incident.title} has ended. Its thread is gone, so the timeline could not be posted.`,
          ...(await notOver(incident, { records, now })),
          md`What was done: ${`/audit export incident:${incident.id} format:md`} has it.`,
        ],
      };
    return hindranceView(done, 'The incident is still open: nothing was recorded.');
  },
  async resume({ records, incidents, place, card, now }) {
    const all = records.incidents();
    const mine = all.find(({ ended: end }) => card !== undefined && end?.place.message === card);
    if (mine !== undefined) {
      await incidents.announceEnd(mine.id);
      return ended(mine, { records, now });
    }
    const since = card === undefined ? Number.POSITIVE_INFINITY : madeAt(card);
    const others = all.findLast(
      ({ id, ended: end }) =>
        end !== undefined &&
        (id === place.channel || (end.place.channel === place.channel && Date.parse(end.time) >= since)),
    );
    if (others !== undefined) return over(others);
    return {
      outcome: 'unknown',
      body: [
        trusted('The bot stopped while it was doing this: the timeline may have been posted, or not.'),
        trusted('Type /incident end again. What is posted is not posted twice.'),
      ],
    };
  },
});

const intoThread = trusted(
  "For a message from elsewhere: paste its text into the incident's thread, and keep that message.",
);

/** What the bot says of a run that was typed elsewhere is in no timeline. */
const ownMessage = (incident: Incident, channel: string): Markup[] =>
  channel === incident.id
    ? [
        trusted(
          "The bot's own messages are not kept: what is typed here is in the timeline by itself. Nothing was changed.",
        ),
      ]
    : [
        md`The bot's own messages are not kept, and what is typed outside ${threadOf(incident)} is not in its timeline. Nothing was changed.`,
        trusted(
          'To have it there, say in that thread what was done, and keep your message. /audit history has every run.',
        ),
      ];

const note = defineLocal({
  id: 'incident.note',
  danger: 'write',
  description: "Keep a message in an incident's timeline: the menu of the message, Apps, Add to incident timeline",
  example: 'Apps > Add to incident timeline',
  options: {},
  menu: 'Add to incident timeline',
  async act(_input, { incidents, records, actor, place, message }) {
    if (message === undefined) return invalid(trusted('Pick it from the menu of a message, under Apps.'));
    const incident = incidentIn(message.channel, { records }, intoThread);
    if ('body' in incident) return incident;
    const link = { guild: place.guild, channel: message.channel, message: message.message };
    const isWordless = isBlank(message.text);
    const kept = isWordless ? { ...message, text: `(no words that the bot can read: ${urlOf(link)})` } : message;
    const done = await incidents.note(incident.id, kept, actor, place);
    if (done === 'over') return over(incident);
    if (done === 'own') return invalid(...ownMessage(incident, message.channel));
    const by = md`of ${message.author.name}`;
    if (done === 'there')
      return invalid(md`The message ${by} is in the timeline of ${threadOf(incident)} already. Nothing was changed.`);
    if (isWordless)
      return {
        body: [
          md`${linkTo('This message', link)} ${by} has no words that the bot can read: the timeline of ${threadOf(incident)} has only its link.`,
          trusted('Say in the thread what it shows, and keep your message, too.'),
        ],
      };
    return {
      body: [md`The message ${by} is in the timeline of ${threadOf(incident)}:`, md`${message.text}`],
    };
  },
  resume: () =>
    Promise.resolve({
      outcome: 'unknown',
      body: [
        trusted('The bot stopped while it was doing this: the message may be in the timeline, or not.'),
        trusted('Pick it again. A message is kept once.'),
      ],
    }),
});

export const incidentCommands = [start, end, note];
