import { count, md, quote, trusted } from '../card.ts';
import { type Found, isLeft, ok, skipped, warning, wrong } from './line.ts';
import type { Check } from './run.ts';

const configuration: Check = {
  id: 'configuration',
  title: 'Configuration',
  async run(probes) {
    const found = await probes.configuration();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { problems, warnings, ways } = found;
    const lines = [
      ...problems.map(({ what, rule, where }) => wrong(trusted(`${what}: ${rule}`), trusted(where))),
      ...warnings.map((words): Found => ({ state: 'warning', words: trusted(words) })),
    ];
    const reached = ways === undefined ? [] : [ok(trusted(`The bot reaches ${ways}.`))];
    return [...(lines.length > 0 ? lines : [ok(trusted('The environment and the policy are valid.'))]), ...reached];
  },
};

const redis: Check = {
  id: 'redis',
  title: 'Redis',
  async run(probes) {
    const found = await probes.redis();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    if (found.state === 'unusable') return [wrong(trusted(`${found.problem}.`), trusted(found.remedy))];
    const lines = found.findings.map(({ state, problem, remedy }): Found => {
      const words = trusted(`${problem}.`);
      return state === 'wrong' ? wrong(words, trusted(remedy)) : warning(words, trusted(remedy));
    });
    return lines.length > 0 ? lines : [ok(trusted(`${found.server} answers, and its settings are safe.`))];
  },
};

const calendars: Check = {
  id: 'calendars',
  title: 'Calendars',
  async run(probes) {
    return (await probes.calendars()).map((found) => {
      const { name } = found;
      if ('problem' in found)
        return wrong(
          md`The calendar of ${name}: ${trusted(found.problem)}`,
          trusted('docs/on-call.md says what to do about each.'),
        );
      const [other] = found.unmatched;
      if (other !== undefined)
        return warning(
          md`The calendar of ${name} names ${quote(other)} now, whom \`people\` does not have.`,
          trusted('Add them to people in the policy, letter for letter.'),
        );
      return ok(
        md`By the calendar of ${name}, ${trusted(count(found.people, 'person has', 'people have'))} the shift now.`,
      );
    });
  },
};

const disk: Check = {
  id: 'disk',
  title: 'Disk',
  async run({ disk, bounds }) {
    const found = await disk();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { free, size } = found;
    const words = `${sizeOf(free)} of ${sizeOf(size)} are free on the disk of DATA_DIR`;
    return free < bounds.disk.free || free < size * bounds.disk.share
      ? [warning(trusted(`Only ${words}.`), trusted('Free some space: once the disk is full, changes are refused.'))]
      : [ok(trusted(`${words}.`))];
  },
};

const sizeOf = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;

const followUps: Check = {
  id: 'follow-ups',
  title: 'Follow-ups',
  async run({ canary, now, bounds }) {
    const found = await canary();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const remedy = trusted('Search the log for "follow-ups", and check Redis.');
    if (found.last === undefined) return [wrong(trusted('No worker has taken a job from the queue yet.'), remedy)];
    const seconds = Math.max(0, Math.round((now() - found.last) / 1000));
    return now() - found.last > bounds.canaryMs
      ? [wrong(trusted(`No worker has taken a job from the queue for ${count(seconds, 'second')}.`), remedy)]
      : [ok(trusted(`A worker took a job from the queue ${count(seconds, 'second')} ago.`))];
  },
};

/** Has a line for each wait, and none where the bot waits for nothing, or does not run here. */
const waiting: Check = {
  id: 'waiting',
  title: 'Waiting',
  async run({ waits }) {
    const remedy = trusted('It resumes by itself then. Meanwhile, find out what else uses the token or the address.');
    return (await waits()).map((words) => warning(md`${words}`, remedy));
  },
};

/** Has no line where neither the policy nor the environment speaks of alerts. */
const alerts: Check = {
  id: 'alerts',
  title: 'Alerts',
  async run(probes) {
    const found = await probes.alerts();
    if (found === undefined) return [];
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { at, state, lacks } = found;
    if (state !== 'the bot' && state !== 'nobody')
      return [
        wrong(
          trusted(
            state === 'another' ? `Another program listens on ${at}.` : `The bot cannot listen on ${at}: ${state}.`,
          ),
          trusted("Set ALERTS_PORT and ALERTS_HOST to what is free, and what the bot's user may use."),
        ),
      ];
    if (lacks === 'alerts')
      return [
        warning(
          trusted(`What comes in on ${at} is refused: the policy has no alerts.`),
          trusted('Add alerts to the policy, which says where they are shown; or remove ALERTS_PORT.'),
        ),
      ];
    if (lacks !== undefined)
      return [
        warning(
          trusted('Alerts ping nobody, and nobody can acknowledge them.'),
          trusted(`Add ${lacks} to allow of the roles that may.`),
        ),
      ];
    return [
      ok(trusted(state === 'the bot' ? `The bot takes them on ${at}.` : `Nobody listens on ${at} yet: the bot can.`)),
    ];
  },
};

export const aboutMachine = { configuration, redis, calendars, disk, alerts, followUps, waiting };
