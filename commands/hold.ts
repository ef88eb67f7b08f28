import { type Markup, md, serverName, trusted, typedAs } from '../src/card.ts';
import { defineLocal, type Option, type View } from '../src/command.ts';
import type { Server } from '../src/outcome.ts';
import type { Entry } from '../src/runs/entry.ts';
import type { ServerHold } from '../src/runs/freezes.ts';
import { stopLine } from '../src/view/words.ts';
import { reason, server } from './options.ts';
import { cause, end, invalid, placeOf, resume } from './stop-options.ts';

const takeOver: Option<boolean> = {
  type: 'boolean',
  description: 'Take it over from whoever holds it now (no when left out)',
  read: (raw) => raw === true,
  write: (value) => (value ? true : undefined),
};

const entryServer = ({ id, name, tier }: Server) => ({ id, name, tier });

const hold = defineLocal({
  id: 'hold',
  danger: 'write',
  byName: true,
  description: 'Keep a server to yourself for a while: nobody else may change it',
  example: '/hold server:web-1 until:2h reason:"looking for the leak"',
  options: { server, until: end, reason: cause, 'take-over': takeOver },
  resume,
  async act({ server: wanted, until, reason: why, 'take-over': isTaking }, context) {
    const { records, stops, actor, now } = context;
    const before = records.hold(wanted.id, now);
    const isTheirs = before !== undefined && before.actor.id !== actor.id;
    if (isTheirs && !isTaking) return theirs(wanted, before);
    const done = await stops.record({
      ...{ kind: 'held', actor, server: entryServer(wanted), until: new Date(until).toISOString(), why },
      ...(isTheirs ? { over: before.seq } : {}),
      place: placeOf(context),
    });
    if (done !== 'recorded')
      return isHold(done.refused) ? theirs(wanted, done.refused) : invalid(trusted('That time has already passed.'));
    const own = records.hold(wanted.id, now);
    return {
      ...(own === undefined ? {} : { fact: md`${stopLine(own)}.` }),
      body: [
        ...(isTheirs ? [md`Taken over from <@${trusted(before.actor.id)}>: ${before.why}`] : []),
        md`Nobody but <@${trusted(actor.id)}> may change ${serverName(wanted)} until then, or until it is released. Reads still work.`,
      ],
      nextSteps: [md`To end it early: ${`/release server:${typedAs(wanted)}`}`],
    };
  },
});

const isHold = (entry: Entry | undefined): entry is ServerHold => entry?.kind === 'held';

/** Somebody else holds it, and nobody takes it over by mistake. */
const theirs = (wanted: Server, before: ServerHold): View => ({
  outcome: 'blocked',
  fact: md`${stopLine(before)}.`,
  body: [trusted('Nothing was recorded.')],
  nextSteps: [
    trusted('Talk to them first.'),
    md`To take it over: ${`/hold server:${typedAs(wanted)} take-over:True`}, with your reason.`,
  ],
});

const release = defineLocal({
  id: 'release',
  danger: 'write',
  byName: true,
  description: "End a hold, yours or somebody else's",
  example: '/release server:web-1',
  options: { server, reason },
  resume,
  async act({ server: wanted, reason: why }, context) {
    const { records, stops, actor, now } = context;
    const before = records.hold(wanted.id, now);
    if (before === undefined) return notHeld(wanted);
    const of = { server: entryServer(wanted), ends: before.seq, why, place: placeOf(context) };
    const done = await stops.record({ kind: 'released', actor, ...of });
    if (done !== 'recorded')
      return invalid(
        trusted('Somebody else got there first. Nothing was recorded.'),
        ...(isHold(done.refused) ? [md`${stopLine(done.refused)}.`] : []),
      );
    return {
      fact: md`${serverName(wanted)} is released.`,
      body: [...heldBy(before, actor.id), trusted('Whoever may change it can do so again.')],
    };
  },
});

const notHeld = (wanted: Server): View => invalid(md`Nobody holds ${serverName(wanted)}. Nothing was recorded.`);

const heldBy = ({ actor, why }: ServerHold, me: string): Markup[] =>
  actor.id === me ? [] : [md`<@${trusted(actor.id)}> held it: ${why}`];

export const holdCommands = [hold, release];
