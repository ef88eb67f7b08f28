import type { Option } from '../src/command.ts';
import { type Named, namedIn, nameOf, nearIn, suggestNamed } from './named.ts';
import { pieces } from './options.ts';

export const rulesets: Option<readonly Named[]> = {
  type: 'string',
  description: 'Rulesets to set, by name or id, with commas: 1,2',
  required: true,
  max: 200,
  suggest({ typed, team }) {
    const cut = typed.lastIndexOf(',') + 1;
    const before = pieces(typed.slice(0, cut)).map((text) => namedIn(team.rulesets, text));
    const known = before.flatMap((each) => each ?? []);
    return suggestNamed(team.rulesets, typed.slice(cut))
      .filter(({ value }) => !known.some(({ id }) => String(id) === value))
      .map(({ name, value }) => ({
        name: [...known.map(nameOf), name].join(', ').slice(-100),
        value: [...known.map(({ id }) => id), value].join(','),
      }))
      .filter(({ value }) => value.length <= 100);
  },
  read(raw, { team, refuse }) {
    const found = pieces(String(raw)).map(
      (piece) =>
        namedIn(team.rulesets, piece) ??
        refuse(`write ids, or names from the policy, with commas, such as 1,2.${nearIn(team.rulesets, piece)}`),
    );
    if (found.length === 0) refuse('list at least one ruleset. To remove all rules use /firewall flush');
    if (new Set(found.map(({ id }) => id)).size < found.length) refuse('a ruleset is listed twice');
    return found;
  },
  write: (value) => value.map(({ id }) => id).join(','),
};
