import { count, md, trusted } from '../card.ts';
import { type Found, isLeft, ok, skipped, warning, wrong } from './line.ts';
import type { Check } from './run.ts';

const configuration: Check = {
  id: 'configuration',
  title: 'Configuration',
  async run(probes) {
    const found = await probes.configuration();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { problems, warnings } = found;
    const lines = [
      ...problems.map(({ what, rule, where }) => wrong(trusted(`${what}: ${rule}`), trusted(where))),
      ...warnings.map((words): Found => ({ state: 'warning', words: trusted(words) })),
    ];
    return lines.length > 0 ? lines : [ok(trusted('The environment and the policy are valid.'))];
  },
};

/** BullMQ works with older versions, but with delays. */
const oldest = [6, 2];

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least = 0, leastMinor = 0] = oldest;
  return major < least || (major === least && minor < leastMinor);
};

const redis: Check = {
  id: 'redis',
  title: 'Redis',
  async run(probes) {
    const found = await probes.redis();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    if (found.state === 'unusable') return [wrong(trusted(`${found.problem}.`), trusted(found.remedy))];
    const { version, eviction, unsafe } = found;
    const lines = [
      ...(version !== undefined && isOld(version)
        ? [warning(md`Redis is version ${version}.`, trusted(`Use ${oldest.join('.')} or newer, or Valkey.`))]
        : []),
      ...(unsafe === undefined
        ? []
        : [wrong(trusted(`The ledger is not safe in this Redis: ${unsafe.problem}.`), trusted(unsafe.remedy))]),
      // The ledger's own line already reports a Redis that may evict it.
      ...(eviction === undefined || eviction === 'noeviction' || unsafe !== undefined
        ? []
        : [
            warning(
              md`Redis may drop keys when its memory is full: maxmemory-policy is ${eviction}.`,
              trusted('Set "maxmemory-policy noeviction" in redis.conf.'),
            ),
          ]),
    ];
    return lines.length > 0 ? lines : [ok(md`Redis ${version ?? ''} answers, and its settings are safe.`)];
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
      ? [warning(trusted(`Only ${words}.`), trusted('Free some space: once the disk is full, nothing may change.'))]
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
    const remedy = trusted(
      'Search the log for "follow-ups", and check Redis. If the bot runs as several processes, one must run with --role worker.',
    );
    if (found.last === undefined) return [wrong(trusted('No worker has taken a job from the queue yet.'), remedy)];
    const seconds = Math.max(0, Math.round((now() - found.last) / 1000));
    return now() - found.last > bounds.canaryMs
      ? [wrong(trusted(`No worker has taken a job from the queue for ${count(seconds, 'second')}.`), remedy)]
      : [ok(trusted(`A worker took a job from the queue ${count(seconds, 'second')} ago.`))];
  },
};

export const aboutMachine = { configuration, redis, disk, followUps };
