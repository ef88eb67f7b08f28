import { count, joined, type Markup, md, moment, quote, serverName, shortName, trusted } from '../src/card.ts';
import { defineLocal, type Followed, type Option, type View } from '../src/command.ts';
import type { Actor, Server } from '../src/outcome.ts';
import { typedName } from '../src/view/words.ts';
import { maybeServer, person, server } from './options.ts';
import { shownOf, slice } from './pages.ts';

const followUpsPerPart = 8;

const list = defineLocal({
  id: 'follow-ups.list',
  danger: 'read',
  description: 'What is being followed to its end: restores and power actions',
  example: '/follow-ups list server:web-1',
  options: { server: maybeServer },
  title: (input) => trusted(`Follow-ups${input.server === undefined ? '' : ` of ${shortName(input.server)}`}`),
  async act(input, { followUps, may, part, options }) {
    const all = await followUps.list(input.server?.id);
    const shown = slice(
      all.filter((each) => may(each.server)),
      part,
      followUpsPerPart,
      options,
    );
    const fact = trusted(shown.total === 0 ? 'Nothing is followed.' : `${count(shown.total, 'job')} followed.`);
    return { fact, body: [...shown.items.map(line), ...shownOf(shown, 'follow-ups')], ...shown.positions };
  },
});

/** Who started what and when, its last seen state, and a link to its card. */
function line(followed: Followed): Markup {
  const { startedBy, notify, since, id } = followed;
  const pings = notify.id === startedBy.id ? trusted('') : trusted(` Handed over to <@${notify.id}>.`);
  return joined(
    [
      md`**${serverName(followed.server)}** ${typed(followed)}, started by <@${trusted(startedBy.id)}>${trusted(followed.isGlass ? ', with break-glass,' : '')} ${moment(since)}.${pings}`,
      md`${lastState(followed)} ${cardLink(followed)} · ${quote(id)}`,
    ],
    '\n',
  );
}

/** The same on a card about its server alone: "**Followed** /backup restore: `running`, 40 % · card" */
export const stateLine = (followed: Followed): Markup =>
  md`**Followed** ${typed(followed)}${trusted(followed.isGlass ? ', with break-glass' : '')}: ${lastState(followed)} ${cardLink(followed)}`;

function lastState({ seen, blindSince, watchedSince, unreadable }: Followed): Markup {
  if (unreadable) return trusted('The panel offers no way to read it: nothing is known.');
  const progress = seen?.progress === undefined ? '' : `, ${Math.round(seen.progress)} %`;
  const unseen =
    watchedSince === undefined
      ? trusted('Not seen yet.')
      : md`Not seen since the bot began to watch it again, ${moment(watchedSince)}.`;
  const last = seen === undefined ? unseen : md`${quote(seen.word, 40)}${trusted(progress)}, seen ${moment(seen.at)}.`;
  return blindSince === undefined ? last : md`${last} It has not been visible since ${moment(blindSince)}.`;
}

const cardLink = ({ card: { guild, channel, message } }: Followed): Markup =>
  trusted(`[Its card](https://discord.com/channels/${guild}/${channel}/${message})`);

const typed = ({ command }: Followed): Markup => trusted(typedName(command));

const maybeId: Option<string | undefined> = {
  type: 'string',
  description: 'Which one, as /follow-ups list shows it; the newest when left out',
  example: 'restore-101-9001',
  max: 60,
  read: (raw) => (raw === undefined || String(raw).trim() === '' ? undefined : String(raw).trim()),
};

const newest = (all: readonly Followed[], id: string | undefined): Followed | undefined =>
  id === undefined ? all.at(-1) : all.find((each) => each.id === id);

/** Without an id, it is a matter of what happens to the server, and no option is wrong. */
const blamed = (id: string | undefined): Pick<View, 'wrong'> => (id === undefined ? {} : { wrong: 'id' });

/** The requested follow-up, or the answer if it does not exist. */
function findFollowUp(all: readonly Followed[], target: Server, id: string | undefined): Followed | View {
  const found = newest(all, id);
  if (found !== undefined) return found;
  const body: Markup[] = [
    id === undefined
      ? md`Nothing of ${serverName(target)} is being followed.`
      : md`no such follow-up of ${serverName(target)} is under way.`,
    trusted('/follow-ups list shows what is. Nothing was changed.'),
  ];
  return { outcome: 'invalid', ...blamed(id), body };
}

/** It ended between the lookup and the action. */
const over = (followed: Followed): View => ({
  outcome: 'invalid',
  body: [
    md`${typed(followed)} of ${serverName(followed.server)} (${quote(followed.id)}) has just ended: see its card.`,
  ],
});

const stop = defineLocal({
  id: 'follow-ups.stop',
  danger: 'write',
  description: 'Stop following; nothing is changed in the panel',
  example: '/follow-ups stop server:web-1',
  options: { server, id: maybeId },
  async act(input, { followUps, actor }) {
    const found = findFollowUp(await followUps.list(input.server.id), input.server, input.id);
    if ('body' in found) return found;
    if (!(await followUps.stop(found.id, actor))) return over(found);
    return {
      body: [
        md`${typed(found)} of ${serverName(found.server)} (${quote(found.id)}) is no longer followed; nobody is pinged when it ends.`,
        trusted(
          'The panel continues with it: nothing changed there. It stays in /handover until somebody says on its card how it ended.',
        ),
        cardLink(found),
      ],
    };
  },
});

const how: Option<'finished' | 'failed'> = {
  type: 'string',
  description: 'What you saw in the panel',
  required: true,
  choices: [
    { name: 'finished', value: 'finished' },
    { name: 'failed', value: 'failed' },
  ],
  read: (raw, { refuse }) => (raw === 'finished' || raw === 'failed' ? raw : refuse('write finished or failed')),
};

const ended = defineLocal({
  id: 'follow-ups.ended',
  danger: 'write',
  description: 'Say how a job ended that is no longer followed',
  example: '/follow-ups ended server:web-1 how:finished',
  options: { server, how, id: { ...maybeId, description: 'Which one, by its id; the newest when left out' } },
  async act(input, { followUps, actor }) {
    const found = newest(await followUps.unfollowed(input.server.id), input.id);
    if (found === undefined) return nothingLeft(input.server, input.id);
    if (!(await followUps.end(found.id, input.how, actor))) return over(found);
    return {
      body: [
        md`${typed(found)} of ${serverName(found.server)} (${quote(found.id)}) **${trusted(input.how)}**: its card now says so, in your name.`,
        cardLink(found),
      ],
    };
  },
});

const nothingLeft = (target: Server, id: string | undefined): View => ({
  outcome: 'invalid',
  ...blamed(id),
  body: [
    id === undefined
      ? md`Nothing of ${serverName(target)} may still run without being followed.`
      : md`nothing like that of ${serverName(target)} may still run without being followed.`,
    trusted('/handover shows what may. Nothing was changed.'),
  ],
});

const handOver = defineLocal({
  id: 'follow-ups.hand-over',
  danger: 'write',
  description: 'Have somebody else pinged at the end',
  example: '/follow-ups hand-over server:web-1 user:@bob',
  options: { server, user: person, id: maybeId },
  async act(input, { followUps, actor }) {
    const found = findFollowUp(await followUps.list(input.server.id), input.server, input.id);
    if ('body' in found) return found;
    if (found.notify.id === input.user.id) return theirsAlready(found);
    if (!(await followUps.handOver(found.id, input.user, actor))) return over(found);
    return { body: [handedOver(found, input.user), cardLink(found)] };
  },
});

const handedOver = (followed: Followed, to: Actor): Markup =>
  md`${typed(followed)} of ${serverName(followed.server)} (${quote(followed.id)}) is handed over to <@${trusted(to.id)}>, who is pinged about its end in place of <@${trusted(followed.notify.id)}>, if the policy pings anybody.`;

const theirsAlready = (followed: Followed): View => ({
  outcome: 'invalid',
  wrong: 'user',
  body: [md`<@${trusted(followed.notify.id)}> has it already. Nothing was changed.`, cardLink(followed)],
});

export const followUpCommands = [list, stop, ended, handOver];
