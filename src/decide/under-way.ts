import { joined, type Markup, md, moment, serverName, trusted } from '../card.ts';
import { cardLink } from '../cards/render/parts.ts';
import type { Command } from '../command.ts';
import type { Server } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import { begunAt } from '../runs/follow-up.ts';
import type { FollowUpState, RunState } from '../runs/state.ts';
import type { Warning } from './work.ts';

/** What is followed on these servers now. */
const openOn = (
  { following }: Pick<Records, 'following'>,
  servers: readonly Server[],
  follow: 'restore' | 'power',
): { state: RunState; followUp: FollowUpState; server: Server }[] =>
  following().flatMap((state) => {
    const { followUp } = state;
    const server = servers.find(({ id }) => id === followUp?.started.server?.id);
    const isOpen = followUp?.started.follow === follow && followUp.ended === undefined;
    return isOpen && server !== undefined ? [{ state, followUp, server }] : [];
  });

/** A restore that runs overwrites changes. */
export const restoreNotes = (records: Pick<Records, 'following'>, servers: readonly Server[]): Warning[] =>
  openOn(records, servers, 'restore').map(({ state, followUp: { started }, server }) => {
    const begun = md`started ${moment(begunAt(state, started))} by <@${trusted(started.actor.id)}>`;
    const says =
      started.job === undefined
        ? md`**A restore of ${serverName(server)} may still run**: ${begun}; its job is unknown. Check the panel.`
        : md`**A restore of ${serverName(server)} is under way**: job ${trusted(String(started.job))}, ${begun}.`;
    return { run: state.run, says };
  });

/** The newest power action under way on each server; for a command that starts none, only those that a person reported. */
export const powerNotes = (
  records: Pick<Records, 'following'>,
  commands: readonly Command[],
  asked: string,
  servers: readonly Server[],
): Warning[] => {
  const find = (id: string): Command | undefined => commands.find((command) => command.id === id);
  const newest = new Map(openOn(records, servers, 'power').map((each) => [each.server.id, each]));
  return [...newest.values()].flatMap(({ state, followUp: { started }, server }) => {
    if (find(asked)?.follows === undefined && state.resolved === undefined) return [];
    const noun = find(started.command)?.noun ?? 'power action';
    const details: Markup[] = [
      ...(started.job === undefined ? [] : [trusted(`queue item ${started.job}`)]),
      md`started ${moment(begunAt(state, started))} by <@${trusted(started.actor.id)}>`,
    ];
    const named = cardLink(`run ${state.run}`, state);
    return [
      {
        run: state.run,
        says: md`**The ${trusted(noun)} of ${serverName(server)} is under way**: ${joined(details, ', ')} (${named}).`,
      },
    ];
  });
};
