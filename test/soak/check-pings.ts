import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import type { CardText } from './cards.ts';
import { type Entry, type Run, timeOf } from './entries.ts';
import type { Finding } from './story.ts';

interface Message extends CardText {
  message: SeenMessage;
}

/** What took longer, in ms, is said, however it ended. docs/policy.md has it, under `notify`. */
const slow = 30_000;

/** What is news pings once, and so does a call for others; nothing else does. By policy.example.yaml, whoever asked. */
export function checkPings(invocation: string, runs: readonly Run[], mine: readonly Message[]): Finding[] {
  const pinging = mine.filter(({ message }) => message.pinged.length > 0);
  const reminders = pinging.filter(({ word }) => word === 'reminder').length;
  const outcomes = pinging.filter(({ text }) => text.endsWith('· outcome')).length;
  const taken = pinging.filter(({ text }) => text.endsWith('· taken')).length;
  const calls = pinging.filter(({ text }) => /· (?:request|approval|review|thaw)$/.test(text)).length;
  const kinds = runs[0]?.entries.map(({ kind }) => kind) ?? [];
  // A person who asks for the end of a freeze pings nobody: the bot does, after that.
  const recorded = runs[0]?.entries.filter(({ kind, actor }) => kind === 'called' && actor?.id === '0').length ?? 0;
  // A call may be posted at the moment in which what it calls for is over: it is not recorded.
  const waits = Math.max(kinds.lastIndexOf('requested'), kinds.lastIndexOf('confirmed'));
  const late = waitedFor(runs) && kinds.lastIndexOf('called') < waits ? 1 : 0;
  const ends = pinging.length - reminders - outcomes - calls - taken;
  const [least, most] = wantedOfOutcomes(runs);
  const wanted = wantedOfEnds(runs);
  return [
    ...(reminders > runs.length ? [`${reminders} reminders`] : []),
    ...(calls < recorded || calls > recorded + late ? [`${calls} calls for others instead of ${recorded}`] : []),
    ...(taken > (kinds.includes('requested') ? 1 : 0) ? [`${taken} pings that somebody took it on`] : []),
    ...(outcomes < least || outcomes > most ? [`${outcomes} pings about its outcome instead of ${most}`] : []),
    // While some servers of a card are still followed, those that ended have not pinged.
    ...(ends > wanted || (ends < wanted && !runs.some(isCrossed))
      ? [`${ends} pings about its end instead of ${wanted}`]
      : []),
  ].map((what) => ({ invariant: 'one-ping', what: `${invocation} has ${what}`, invocation }));
}

function wantedOfEnds(runs: readonly Run[]): number {
  const followed = runs.filter(({ started }) => started !== undefined);
  const isOver = followed.length > 0 && followed.every(({ ended }) => ended !== undefined);
  const isDone = ({ ends }: Run): boolean => ends[0] !== undefined && ends[0].end !== 'stopped';
  return isOver && (followed.some((run) => isEndNews(run, followed)) || (waitedFor(runs) && followed.some(isDone)))
    ? 1
    : 0;
}

/** Somebody asked others for it, or waited for an approval: they are told what became of it. */
const waitedFor = (runs: readonly Run[]): boolean =>
  runs.some(
    ({ entries, confirmed }) =>
      entries.some(({ kind }) => kind === 'requested') ||
      (confirmed !== undefined && entries.some((entry) => entry.kind === 'asked' && entry['approvals'] !== undefined)),
  );

/** A job that failed or was not seen to end, a restore, and what took long. What nobody follows is no news. */
function isEndNews(run: Run, followed: readonly Run[]): boolean {
  const { started, intent } = run;
  const end = endWhenTold(run, followed);
  if (started === undefined || end === undefined || end.end === 'stopped') return false;
  const begun = started.job === undefined ? (intent ?? started) : started;
  return end.end !== 'finished' || started.follow === 'restore' || timeOf(end) - timeOf(begun) > slow;
}

/** The end as the card had it when the last end of those that are followed was announced. What somebody says later, nobody is pinged about. */
function endWhenTold({ ends }: Run, followed: readonly Run[]): Entry | undefined {
  const told = Math.max(...followed.map(({ announced }) => announced?.seq ?? Number.POSITIVE_INFINITY));
  return ends.findLast(({ seq }) => seq < told);
}

/** That it is no longer followed may be recorded as told at the moment in which it is seen to end: then that is told to nobody. */
const isCrossed = ({ ends: [first, second], announced }: Run): boolean =>
  first?.end === 'stopped' && second !== undefined && announced !== undefined && second.seq < announced.seq;

/** The fewest and the most pings about the outcome of what is not followed. */
function wantedOfOutcomes(runs: readonly Run[]): [least: number, most: number] {
  const news = runs.filter(isOutcomeNews);
  // Somebody may have said how it ended before anybody could be pinged.
  const isSure = news.some(({ resolved, pinged }) => pinged !== undefined || resolved === undefined);
  return [isSure ? 1 : 0, news.length > 0 || waitedFor(runs) ? 1 : 0];
}

/** An unknown outcome, and what took long. The end of what is followed is told later. */
function isOutcomeNews({ intent, confirmed, outcomes: [outcome], started, pinged }: Run): boolean {
  const begun = confirmed ?? intent;
  if (intent === undefined || begun === undefined || outcome === undefined) return false;
  const isFollowed = started !== undefined && (pinged === undefined || started.seq < pinged.seq);
  return !isFollowed && (outcome.outcome === 'unknown' || timeOf(outcome) - timeOf(begun) > slow);
}
