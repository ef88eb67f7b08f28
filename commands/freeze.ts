import { count, type Markup, md, moment, oneLine, quote, trusted } from '../src/card.ts';
import { defineLocal, lineOf, type Tools } from '../src/command.ts';
import type { Kind } from '../src/runs/entry.ts';
import { clockText } from '../src/time.ts';
import { scopeOf, stopLine, thawLine } from '../src/view/words.ts';
import { reason } from './options.ts';
import { anyTier, cause, end, invalid, placeOf, resume, tier } from './stop-options.ts';

const freeze = defineLocal({
  id: 'freeze',
  danger: 'write',
  byName: true,
  description: 'Stop all changes at once, for a while: on ALL servers, or on those of a tier',
  example: '/freeze tier:production until:2h reason:"database migration"',
  options: { tier, until: end, reason: cause },
  subject: (input) => scopeOf(input),
  asks: ({ tier: name, until, reason: why }, { team: { tiers, zone } }) =>
    name !== undefined
      ? undefined
      : {
          label: 'Freeze all servers',
          choice: { label: formLabel(until, zone), option: 'tier', all: 'All servers', values: tiers },
          fact: md`Freeze ALL servers until ${moment(until, 'f')} (${moment(until)})?`,
          next:
            tiers.length === 0
              ? []
              : [
                  md`For one tier only: ${quote(lineOf({ id: 'freeze' }, { tier: 'NAME', reason: why }), 300)}. ${trusted(
                    'Tiers: ',
                  )}${oneLine(tiers.join(', '))}`,
                ],
        },
  resume,
  async act({ tier: name, until, reason: why }, context) {
    const { records, stops, actor } = context;
    const place = placeOf(context);
    const entry = { kind: 'frozen' as const, actor, tier: name, until: iso(until), why, place };
    const done = await stops.record(entry);
    if (done !== 'recorded') return isThere(done.refused);
    const own = records.freezes(context.now).find((each) => each.place.message === place.message && isOf(name, each));
    const onWay = stops.underWay(name).length;
    return {
      ...(own === undefined ? {} : { fact: md`${stopLine(own)}.` }),
      body: [
        trusted(
          'Nothing changes there until then, or until somebody ends it: open questions and buttons such as Undo are refused, too.',
        ),
        trusted('Reads still work, and follow-ups continue.'),
        ...(onWay === 0 ? [] : [trusted(`${count(onWay, 'change')} under way ${onWay === 1 ? 'goes' : 'go'} on.`)]),
      ],
      nextSteps: [md`To end it early: ${thawLine(name)}`],
    };
  },
});

/** Discord takes 45 characters: the name of a zone may be cut, the time never. */
const formLabel = (until: number, zone: string): string => `Freeze until ${clockText(until, zone)}`.slice(0, 45);

const iso = (ms: number): string => new Date(ms).toISOString();
const isOf = (name: string | undefined, each: Kind<'frozen'>): boolean =>
  name?.toLowerCase() === each.tier?.toLowerCase();

/** A freeze is lengthened, never shortened: that is a thaw. */
const isThere = (before: { kind: string } | undefined) =>
  before !== undefined && isFreeze(before)
    ? invalid(
        md`${stopLine(before)}. That is longer, so it stays as it is.`,
        md`To end it: ${thawLine(before.tier)}`,
        trusted('Nothing was recorded.'),
      )
    : invalid(trusted('That time has already passed. Nothing was recorded.'));

const isFreeze = (entry: { kind: string }): entry is Kind<'frozen'> => entry.kind === 'frozen';

const thaw = defineLocal({
  id: 'thaw',
  danger: 'write',
  byName: true,
  description: 'End a freeze: that of all servers, or that of a tier',
  example: '/thaw tier:production',
  options: { tier: anyTier, reason },
  subject: (input) => scopeOf(input),
  thaws: true,
  resume,
  async act({ tier: name, reason: why }, context) {
    const { records, stops, actor, now } = context;
    const found = records.freezes(now).find((each) => isOf(name, each));
    if (found === undefined)
      return invalid(md`There is no freeze of ${scopeOf({ tier: name })}. Nothing was recorded.`, ...others(context));
    const of = { ends: found.seq, tier: found.tier, why, place: placeOf(context) };
    if ((await stops.record({ kind: 'thawed', actor, ...of })) !== 'recorded')
      return invalid(trusted('Somebody else got there first. Nothing was recorded.'), ...others(context));
    return {
      fact: md`The freeze of ${scopeOf(found)} is over.`,
      body: [md`Frozen by <@${trusted(found.actor.id)}>: ${found.why}`, ...others(context)],
    };
  },
});

const others = ({ records, now }: Pick<Tools, 'records' | 'now'>): Markup[] =>
  records.freezes(now).map((each) => md`Still in force: ${stopLine(each)}.`);

export const freezeCommands = [freeze, thaw];
