import { count, list, md, own, quote } from '../card.ts';
import type { Entry, RunEntry } from '../runs/entry.ts';
import { countOf, outcomesOf, runsOf } from './select.ts';
import { deedOf, serverNames, tell, type Voice, what, withRoles } from './tell.ts';
import { code, inUtc, nameOf, time } from './timeline.ts';

/** The policy's name for a role, by the role's id. */
export type RoleName = (id: string) => string | undefined;

const at = (iso: string): string => time(Date.parse(iso));

/** In a file nobody turns ids into names, and times stand as they are. */
const plainly = (names: ReadonlyMap<string, string>): Voice => ({
  person: (who) => own(nameOf(who)),
  server: (id) => names.get(id),
  message: ({ message }) => md`Message ${message}`,
  time: (iso) => own(at(iso)),
  detail: (markup) => own(inUtc(markup).replaceAll(/\s+/g, ' ')),
});

/** Entries as a list to be read: a line each, in their order, under what they are. UTC; the same entries and names give the same text. */
export function markdown(entries: readonly Entry[], roleName: RoleName): string {
  const [first] = entries;
  const last = entries.at(-1);
  const before = new Map<string, RunEntry>();
  const voice = plainly(serverNames(entries));
  const lines = entries.map((entry) => {
    const shown = line(entry, voice, roleName, 'run' in entry ? before.get(entry.run) : undefined);
    if ('run' in entry) before.set(entry.run, entry);
    return shown;
  });
  return [
    '# Record of panelops',
    '',
    ...(first === undefined || last === undefined
      ? []
      : [
          `- Span: ${at(first.time)} to ${at(last.time)}, all times UTC`,
          `- Entries: ${entries.length}, from no. ${first.seq} (${code(first.hash)}) to no. ${last.seq} (${code(last.hash)})`,
        ]),
    `- Who: ${list(namesOf(entries)).markup}`,
    ...rolesOf(entries, roleName),
    `- Runs: ${summary(entries)}`,
    '',
    '## Entries',
    '',
    ...lines,
    '',
  ].join('\n');
}

const namesOf = (entries: readonly Entry[]) =>
  [...new Set(entries.map(({ actor }) => actor.name))].map((name) => quote(name));

/** Names may change, and ids do not: which stand for which. */
function rolesOf(entries: readonly Entry[], roleName: RoleName): string[] {
  const ids = [...new Set(entries.flatMap((entry) => ('run' in entry ? entry.actor.roles : [])))];
  const named = ids.flatMap((id) => {
    const name = roleName(id);
    return name === undefined ? [] : [md`${name} is ${id}`];
  });
  return named.length === 0 ? [] : [`- Roles, by their names in the policy: ${list(named).markup}`];
}

/** "3 (2 succeeded, 1 denied)" */
function summary(entries: readonly Entry[]): string {
  const runs = runsOf(entries);
  const counts = [...outcomesOf(runs)].map(([outcome, times]) => `${times} ${outcome}`);
  const open = runs.filter(({ outcome }) => outcome === undefined).length;
  const all = [...counts, ...(open === 0 ? [] : [`${count(open, 'run')} without an outcome here`])];
  return all.length === 0 ? '0' : `${countOf(runs)} (${all.join(', ')})`;
}

/** "- **2026-11-20 08:15:30** no. 12 **SENT** `/power boot` web-1 (101) · `bob` with `on-call` · run `9kq….1`: Options: …" */
function line(entry: Entry, voice: Voice, roleName: RoleName, before: RunEntry | undefined): string {
  const run = 'run' in entry ? md` · run ${entry.run}` : own('');
  const roles = 'run' in entry ? withRoles(entry.actor, (id) => quote(roleName(id) ?? id)) : own('');
  const who = md`${own(nameOf(entry.actor))}${roles}`;
  const head = md`**${own(at(entry.time))}** no. ${entry.seq} **${own(deedOf(entry))}**${what(entry)} · ${who}${run}`;
  const told = tell(entry, voice, before).map(({ markup }) => markup);
  return [`- ${head.markup}`, ...told.map((sentence) => `  - ${sentence}`)].join('\n');
}
