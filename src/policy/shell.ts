import { z } from 'zod';
import { nearestIs } from '../nearest.ts';
import { firstPlaces } from './listed.ts';
import { type Finding, list, row, says } from './shape.ts';
import { memberOf } from './targets.ts';

/** An account of the bot's machine, and the one Discord user that it is. */
export interface ShellPerson {
  /** The account's name, or its uid. */
  account: string | number;
  discord: string;
  /** Names of roles: they narrow what Discord says, and hold where it says nothing. */
  roles?: readonly string[];
}

const account =
  "The name of an account of the bot's machine, or its uid as a number. Root cannot be a person: give each their own.";
const discord = "The person's Discord id: 17 to 19 digits, in quotes (without quotes YAML rounds it).";
const roles =
  'A list of names of roles in this file. Left out: the person can do nothing while Discord does not answer.';
const people = 'A list of people: nobody else may use the shell.';

export const shell = row(
  {
    people: list(
      row(
        {
          account: z.union(
            [
              z.string().regex(/^(?!root$)[A-Za-z_][A-Za-z0-9_.@-]{0,63}$/, says(account)),
              z.int(says(account)).min(1, says(account)),
            ],
            says(account),
          ),
          discord: z.string(says(discord)).regex(/^\d{17,19}$/, says(discord)),
          roles: list(z.string(says(roles)), roles).exactOptional(),
        },
        'A person of the shell is a mapping of',
      ),
      people,
    ),
  },
  'shell is a mapping of',
);

/** One account is one person, whose roles are there. */
export function aboutPeople(people: readonly unknown[], roles: readonly unknown[]): Finding[] {
  const accounts = people.map((each) => memberOf(each, 'account'));
  const firsts = firstPlaces(accounts);
  const names = roles.map((each) => memberOf(each, 'name')).filter((name) => typeof name === 'string');
  return people.flatMap((each, at) => {
    const named = memberOf(each, 'roles');
    const unknown = Array.isArray(named) ? [...named.entries()].filter(([, name]) => !names.includes(name)) : [];
    const first = firsts.get(accounts[at]) ?? at;
    return [
      ...(accounts[at] === undefined || first === at
        ? []
        : [{ path: ['people', at, 'account'], rule: `shell.people[${first}] has this account already.` }]),
      ...unknown.map(([i, name]) => ({
        path: ['people', at, 'roles', i],
        rule: `No role of this file has this name.${typeof name === 'string' ? nearestIs(name, names) : ''}`,
      })),
    ];
  });
}
