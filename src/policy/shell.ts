import { z } from 'zod';
import { list, row, says, snowflake, text, texts, whole } from './shape.ts';

const account =
  "The name of an account of the bot's machine, or its uid as a number. Root cannot be a person: give each their own.";
const discord = "The person's Discord id: 17 to 19 digits, in quotes (without quotes YAML rounds it).";
const roles =
  'A list of names of roles in this file. Left out: the person can do nothing while Discord does not answer.';
const people = 'A list of people: nobody else may use the shell.';

/** An account of the bot's machine, and the one Discord user that it is. */
const person = row(
  {
    /** The account's name, or its uid. */
    account: z.union([text(account, /^(?!root$)[A-Za-z_][A-Za-z0-9_.@-]{0,63}$/), whole(account)], says(account)),
    discord: snowflake(discord),
    /** Names of roles: they narrow what Discord says, and hold where it says nothing. */
    roles: texts(roles).exactOptional(),
  },
  'A person of the shell is a mapping of',
);

export type ShellPerson = z.output<typeof person>;

export const shell = row({ people: list(person, people) }, 'shell is a mapping of');
