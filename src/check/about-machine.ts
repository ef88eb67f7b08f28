import { count, md, quote, trusted } from '../card.ts';
import { type Found, ok, warning, wrong } from './line.ts';
import { check } from './run.ts';

const configuration = check('configuration', 'Configuration', 'configuration', ({ problems, warnings, ways }) => {
  const lines = [
    ...problems.map(({ what, rule, where }) => wrong(trusted(`${what}: ${rule}`), where)),
    ...warnings.map((words): Found => ({ state: 'warning', words: trusted(words) })),
  ];
  const reached = ways === undefined ? [] : [ok(trusted(`The bot reaches ${ways}.`))];
  return [...(lines.length > 0 ? lines : [ok(trusted('The environment and the policy are valid.'))]), ...reached];
});

const redis = check('redis', 'Redis', 'redis', (found) => {
  if (found.state === 'unusable') return wrong(trusted(`${found.problem}.`), found.remedy);
  if (found.findings.length === 0) return ok(trusted(`${found.server} answers, and its settings are safe.`));
  return found.findings.map(({ state, problem, remedy }) =>
    (state === 'wrong' ? wrong : warning)(trusted(`${problem}.`), remedy),
  );
});

const calendars = check('calendars', 'Calendars', 'calendars', (all) =>
  all.map(({ name, ...found }) => {
    if ('problem' in found)
      return wrong(
        md`The calendar of ${name}: ${trusted(found.problem)}`,
        'docs/on-call.md says what to do about each.',
      );
    const [other] = found.unmatched;
    if (other !== undefined)
      return warning(
        md`The calendar of ${name} names ${quote(other)} now, whom \`people\` does not have.`,
        'Add them to people in the policy, letter for letter.',
      );
    const people = trusted(count(found.people, 'person has', 'people have'));
    return ok(md`By the calendar of ${name}, ${people} the shift now.`);
  }),
);

const disk = check('disk', 'Disk', 'disk', ({ free, size }, { bounds }) => {
  const words = `${sizeOf(free)} of ${sizeOf(size)} are free on the disk of DATA_DIR`;
  return free < bounds.disk.free || free < size * bounds.disk.share
    ? warning(trusted(`Only ${words}.`), 'Free some space: once the disk is full, changes are refused.')
    : ok(trusted(`${words}.`));
});

const sizeOf = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;

const followUps = check('follow-ups', 'Follow-ups', 'canary', ({ last }, { now, bounds }) => {
  const remedy = 'Search the log for "follow-ups", and check Redis.';
  if (last === undefined) return wrong(trusted('No worker has taken a job from the queue yet.'), remedy);
  const age = Math.max(0, now() - last);
  const seconds = count(Math.round(age / 1000), 'second');
  return age > bounds.canaryMs
    ? wrong(trusted(`No worker has taken a job from the queue for ${seconds}.`), remedy)
    : ok(trusted(`A worker took a job from the queue ${seconds} ago.`));
});

/** Has a line for each wait, and none where the bot waits for nothing, or does not run here. */
const waiting = check('waiting', 'Waiting', 'waits', (waits) =>
  waits.map((words) =>
    warning(md`${words}`, 'It resumes by itself then. Meanwhile, find out what else uses the token or the address.'),
  ),
);

/** Has no line where neither the policy nor the environment speaks of alerts. */
const alerts = check('alerts', 'Alerts', 'alerts', ({ at, state, lacks }) => {
  if (state !== 'the bot' && state !== 'nobody')
    return wrong(
      trusted(state === 'another' ? `Another program listens on ${at}.` : `The bot cannot listen on ${at}: ${state}.`),
      "Set ALERTS_PORT and ALERTS_HOST to what is free, and what the bot's user may use.",
    );
  if (lacks === 'alerts')
    return warning(
      trusted(`What comes in on ${at} is refused: the policy has no alerts.`),
      'Add alerts to the policy, which says where they are shown; or remove ALERTS_PORT.',
    );
  if (lacks !== undefined)
    return warning(
      trusted('Alerts ping nobody, and nobody can acknowledge them.'),
      `Add ${lacks} to allow of the roles that may.`,
    );
  return ok(
    trusted(state === 'the bot' ? `The bot takes them on ${at}.` : `Nobody listens on ${at} yet: the bot can.`),
  );
});

export const aboutMachine = { configuration, redis, calendars, disk, alerts, followUps, waiting };
