import { count, list, md, trusted } from '../card.ts';
import type { PanelFound } from '../panel/probe.ts';
import { type Found, isLeft, ok, skipped, warning, wrong } from './line.ts';
import type { Probes } from './probes.ts';
import type { Check } from './run.ts';

const onPanel = (
  id: string,
  title: string,
  judge: (found: PanelFound, probes: Pick<Probes, 'now' | 'bounds'>) => readonly Found[],
): Check<'panel' | 'now' | 'bounds'> => ({
  id,
  title,
  async run(probes) {
    const found = await probes.panel();
    return isLeft(found) ? [skipped(trusted(found.left))] : judge(found, probes);
  },
});

const because = ({ why = '' }: PanelFound) => trusted(why);

const reachable = onPanel('panel', 'Panel', (found) => {
  if (found.state === 'untrusted') return [skipped(trusted('It needs a certificate that is trusted.'))];
  if (found.state === 'unreachable')
    return [
      wrong(because(found), trusted('Check PANEL_URL, that the panel is up, and the network between the bot and it.')),
    ];
  if (found.state === 'not-a-panel')
    return [
      wrong(
        trusted("What answers at this address is not the panel's API."),
        trusted('Check PANEL_URL: it is the address that opens the panel in a browser.'),
      ),
    ];
  if (found.state === 'unavailable')
    return [wrong(because(found), trusted('Look at the panel itself, then run the check again.'))];
  return [ok(trusted('The panel answers.'))];
});

const certificate = onPanel('certificate', 'Certificate', (found, { now, bounds }) => {
  const { state, certificateEnd, skew } = found;
  if (state === 'untrusted')
    return [
      wrong(
        because(found),
        trusted(
          'If the panel uses a private CA, put its certificate into PANEL_CA_FILE. Otherwise find out what answers in its place.',
        ),
      ),
    ];
  if (certificateEnd === undefined) {
    // An answer without a certificate came over plain http, which is only allowed on this machine.
    const why =
      skew === undefined ? 'It needs a panel that answers.' : 'The panel is on this machine, over plain HTTP.';
    return [skipped(trusted(why))];
  }
  const end = date(certificateEnd);
  return certificateEnd - now() < bounds.certificateMs
    ? [warning(md`The panel's certificate ends on ${end}.`, trusted('Renew it on the panel before then.'))]
    : [ok(md`The panel's certificate is trusted, and ends on ${end}.`)];
});

/** A date that reads the same in a terminal and on a card. */
const date = (ms: number) => trusted(new Date(ms).toISOString().slice(0, 10));

const token = onPanel('panel-token', 'Panel token', (found) => {
  const { state, connected, groups } = found;
  if (state === 'unauthorized')
    return [
      wrong(because(found), trusted('Create a new token in the panel, and put it in PANEL_TOKEN or PANEL_TOKEN_FILE.')),
    ];
  if (state === 'forbidden')
    return [
      wrong(
        found.connected
          ? trusted('The panel knows the token, but it may not read the hypervisor groups (403).')
          : because(found),
        trusted('In the panel, give the token the permissions of the commands that the policy allows.'),
      ),
    ];
  if (groups !== undefined) return [ok(trusted(`The token works, and reads: ${count(groups, 'hypervisor group')}.`))];
  return [
    skipped(
      trusted(connected ? 'The token is known; its permissions were not tested.' : 'It needs a panel that answers.'),
    ),
  ];
});

const budget = onPanel('budget', 'Panel requests', (found, { bounds }) => {
  const share = found.budget === undefined ? undefined : found.budget.remaining / found.budget.limit;
  if (found.state === 'limited' || (share !== undefined && share < bounds.budget)) {
    const { limit, remaining } = found.budget ?? { limit: 0, remaining: 0 };
    return [
      warning(
        found.budget === undefined
          ? because(found)
          : md`${remaining} of the token's ${limit} requests of this minute are left.`,
        trusted('Find out what else uses this token, or have its limit raised in the panel.'),
      ),
    ];
  }
  if (found.budget === undefined)
    return [
      skipped(trusted(found.connected ? 'The panel states no limit.' : 'It needs a panel that knows the token.')),
    ];
  return [ok(md`${found.budget.remaining} of ${found.budget.limit} requests of this minute are left.`)];
});

/** If Discord and the panel agree, this machine's clock is wrong. */
const clock: Check = {
  id: 'clock',
  title: 'Clock',
  async run(probes) {
    const [discord, panel] = [await probes.discord(), await probes.panel()];
    const skews = [
      ...(isLeft(discord) || discord.skew === undefined ? [] : [{ who: "Discord's", skew: discord.skew }]),
      ...(isLeft(panel) || panel.skew === undefined ? [] : [{ who: "the panel's", skew: panel.skew }]),
    ];
    if (skews.length === 0) return [skipped(trusted('Neither Discord nor the panel sent its time.'))];
    const far = skews.filter(({ skew }) => Math.abs(skew) > probes.bounds.skewMs);
    if (far.length === 0)
      return [ok(trusted(`It agrees with ${skews.map(({ who }) => who).join(' and ')} within 30 seconds.`))];
    return far.map(({ who, skew }) => {
      const seconds = count(Math.round(Math.abs(skew) / 1000), 'second');
      const isOurs = far.length === skews.length && far.length > 1;
      return warning(
        trusted(`This machine's clock is ${seconds} ${skew > 0 ? 'behind' : 'ahead of'} ${who}.`),
        trusted(
          isOurs
            ? "Synchronize this machine's clock, for example with chrony or systemd-timesyncd."
            : `Find out which of the two is wrong, and synchronize it with NTP.`,
        ),
      );
    });
  },
};

const restoreStatus: Check = {
  id: 'restore-status',
  title: 'Restore status',
  async run(probes) {
    const found = await probes.restore();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { answer, job, server, age } = found;
    const about = md`job ${job} of server ${server}`;
    if (answer === 'understood') return [ok(md`The panel reports the status of ${about}.`)];
    if (answer === 'not-understood')
      return [
        wrong(
          md`The panel's answer about ${about} has no status where the policy points.`,
          trusted('Correct restore-status in the policy: status is a JSON pointer into the answer.'),
        ),
      ];
    if (answer === 'failed') return [skipped(md`The panel did not answer the read of ${about}.`)];
    const words = md`The panel does not know ${about} at the path of restore-status (404).`;
    const remedy = trusted(
      'Correct the path in the policy, or remove restore-status: then people say how a restore ended.',
    );
    return [
      age < dayMs
        ? wrong(words, remedy)
        : warning(md`${words} It may have dropped it since ${date(probes.now() - age)}.`, remedy),
    ];
  },
};

const backupList: Check = {
  id: 'backup-list',
  title: 'Backups',
  async run(probes) {
    const found = await probes.backups();
    if (found === undefined) return [];
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { answer, server, backups = 0 } = found;
    if (answer === 'understood')
      return [ok(md`The panel lists ${trusted(count(backups, 'backup'))} of server ${server}.`)];
    if (answer === 'failed')
      return [skipped(md`The panel did not answer the read of the backups of server ${server}.`)];
    const remedy = trusted('Correct backup-list in the policy, or remove it: restores then show no dates of backups.');
    return [
      answer === 'not-found'
        ? warning(md`The panel knows nothing at the path of backup-list for server ${server} (404).`, remedy)
        : wrong(
            md`The panel's answer about server ${server} has no backups with dates where the policy points.`,
            remedy,
          ),
    ];
  },
};

const inventory: Check = {
  id: 'inventory',
  title: 'Servers',
  async run(probes) {
    const found = await probes.inventory();
    if (found === undefined) return [];
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { servers, at, gains, problem } = found;
    if (problem !== undefined)
      return [
        wrong(
          trusted(`The panel's list of servers: ${problem}`),
          trusted('Correct inventory in the policy, and let the token list servers and hypervisor groups.'),
        ),
      ];
    const of = at === undefined ? '' : `, as of ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    const words = trusted(`The inventory has ${count(servers, 'server')}${of}.`);
    if (gains === undefined) return [ok(words)];
    const each = gains.map((gain) => md`${gain.role} ${trusted(String(gain.servers))}`);
    return [ok(md`${words} Of these, roles reach: ${list(each)}.`)];
  },
};

const dayMs = 86_400_000;

/** What one look at the panel tells. */
export const panelChecks = [reachable, certificate, token, budget];

export const aboutPanel: readonly Check[] = [...panelChecks, clock, restoreStatus, backupList, inventory];
