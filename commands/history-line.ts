import { joined, type Markup, md, moment, quote, trusted } from '../src/card.ts';
import type { Entry, Kind, RunEntry, Step } from '../src/runs/entry.ts';
import { askedOf, titleOf } from '../src/view/details.ts';
import type { Run } from '../src/view/select.ts';
import { cardOf } from '../src/view/unfinished.ts';
import { isPerson, mention, serverOf, typedName } from '../src/view/words.ts';

/** "5 minutes ago @carol /firewall flush `server:web-1`: **DENIED** · `9kq….1`", or with a link to its card. */
export function line({ run, first, furthest, end, resolved, entries }: Run): Markup {
  const { command, server, actor } = first;
  const on = server === undefined ? [] : [serverOf(server)];
  const what = [trusted(typedName(command)), ...on, ...askedOf(first), ...glassOf(entries)];
  const outcome = [
    md`**${trusted(titleOf(furthest))}**`,
    ...(end === undefined ? [] : [ending(end)]),
    ...(resolved === undefined ? [] : [resolution(resolved)]),
  ];
  const [card = quote(run)] = cardOf(entries);
  return md`${ago(furthest)} ${whoRan(actor, entries)} ${joined(what, ' ')}: ${joined(outcome, ', then ')} · ${card}`;
}

/** "· break-glass", wherever such a run is named. */
export const glassOf = (entries: readonly RunEntry[]): Markup[] =>
  entries.some((entry) => entry.kind === 'asked' && entry.glass !== undefined) ? [trusted('· break-glass')] : [];

/** Whoever took on a request is named before whoever made it. */
function whoRan(actor: RunEntry['actor'], entries: readonly RunEntry[]): Markup {
  const runner = entries.find(({ kind }) => kind === 'asked')?.actor;
  const isSame = runner === undefined || runner.id === actor.id;
  return isSame ? mention(actor) : md`${mention(runner)}, for ${mention(actor)},`;
}

export const ago = ({ time: iso }: Entry): Markup => moment(Date.parse(iso));

/** The panel's message, or a person's words. */
function ending(entry: Step<'ended'>): Markup {
  const by = entry.by ?? entry.actor;
  return md`**${trusted(titleOf(entry))}** ${ago(entry)}${isPerson(by) ? md`, says ${mention(by)}` : trusted('')}`;
}

const saidOf = ({ happened, running }: Kind<'resolved'>): string => {
  if (running === true) return 'IS RUNNING';
  return happened ? 'HAPPENED' : 'DID NOT HAPPEN';
};

const resolution = (entry: Kind<'resolved'>): Markup =>
  md`**${trusted(saidOf(entry))}**, says ${mention(entry.actor)} ${ago(entry)}`;
