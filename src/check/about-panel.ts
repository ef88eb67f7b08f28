import { count, list, md, trusted } from '../card.ts';
import type { PanelFound } from '../panel/probe.ts';
import { isLeft, ok, skipped, warning, wrong } from './line.ts';
import { type Check, check } from './run.ts';

const because = ({ why = '' }: PanelFound) => trusted(why);

const reachable = check('panel', 'Panel', 'panel', (found) => {
  if (found.state === 'untrusted') return skipped(trusted('It needs a certificate that is trusted.'));
  if (found.state === 'unreachable')
    return wrong(because(found), 'Check PANEL_URL, that the panel is up, and the network between the bot and it.');
  if (found.state === 'not-a-panel')
    return wrong(
      trusted("What answers at this address is not the panel's API."),
      'Check PANEL_URL: it is the address that opens the panel in a browser.',
    );
  if (found.state === 'unavailable')
    return wrong(because(found), 'Look at the panel itself, then run the check again.');
  return ok(trusted('The panel answers.'));
});

const certificate = check('certificate', 'Certificate', 'panel', (found, { now, bounds }) => {
  const { state, certificateEnd, skew } = found;
  if (state === 'untrusted')
    return wrong(
      because(found),
      'If the panel uses a private CA, put its certificate into PANEL_CA_FILE. Otherwise find out what answers in its place.',
    );
  if (certificateEnd === undefined)
    // An answer without a certificate came over plain http, which is only allowed on this machine.
    return skipped(
      trusted(skew === undefined ? 'It needs a panel that answers.' : 'The panel is on this machine, over plain HTTP.'),
    );
  const end = date(certificateEnd);
  return certificateEnd - now() < bounds.certificateMs
    ? warning(md`The panel's certificate ends on ${end}.`, 'Renew it on the panel before then.')
    : ok(md`The panel's certificate is trusted, and ends on ${end}.`);
});

/** A date that reads the same in a terminal and on a card. */
const date = (ms: number) => trusted(new Date(ms).toISOString().slice(0, 10));

const token = check('panel-token', 'Panel token', 'panel', (found) => {
  const { state, connected, groups } = found;
  if (state === 'unauthorized')
    return wrong(because(found), 'Create a new token in the panel, and put it in PANEL_TOKEN or PANEL_TOKEN_FILE.');
  if (state === 'forbidden')
    return wrong(
      connected
        ? trusted('The panel knows the token, but it may not read the hypervisor groups (403).')
        : because(found),
      'In the panel, give the token the permissions of the commands that the policy allows.',
    );
  if (groups !== undefined) return ok(trusted(`The token works, and reads: ${count(groups, 'hypervisor group')}.`));
  return skipped(
    trusted(connected ? 'The token is known; its permissions were not tested.' : 'It needs a panel that answers.'),
  );
});

const budget = check('budget', 'Panel requests', 'panel', (found, { bounds }) => {
  const { state, budget: left, connected } = found;
  const words = left && md`${left.remaining} of the token's ${left.limit} requests of this minute are left.`;
  if (state === 'limited' || (left !== undefined && left.remaining / left.limit < bounds.budget))
    return warning(
      words ?? because(found),
      'Find out what else uses this token, or have its limit raised in the panel.',
    );
  if (words !== undefined) return ok(words);
  return skipped(trusted(connected ? 'The panel states no limit.' : 'It needs a panel that knows the token.'));
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
    if (skews.length === 0) return skipped(trusted('Neither Discord nor the panel sent its time.'));
    const far = skews.filter(({ skew }) => Math.abs(skew) > probes.bounds.skewMs);
    if (far.length === 0)
      return ok(trusted(`It agrees with ${skews.map(({ who }) => who).join(' and ')} within 30 seconds.`));
    const isOurs = far.length === skews.length && far.length > 1;
    return far.map(({ who, skew }) => {
      const seconds = count(Math.round(Math.abs(skew) / 1000), 'second');
      return warning(
        trusted(`This machine's clock is ${seconds} ${skew > 0 ? 'behind' : 'ahead of'} ${who}.`),
        isOurs
          ? "Synchronize this machine's clock, for example with chrony or systemd-timesyncd."
          : `Find out which of the two is wrong, and synchronize it with NTP.`,
      );
    });
  },
};

const restoreStatus = check('restore-status', 'Restore status', 'restore', ({ answer, job, server, age }, { now }) => {
  const about = md`job ${job} of server ${server}`;
  if (answer === 'understood') return ok(md`The panel reports the status of ${about}.`);
  if (answer === 'not-understood')
    return wrong(
      md`The panel's answer about ${about} has no status where the policy points.`,
      'Correct restore-status in the policy: status is a JSON pointer into the answer.',
    );
  if (answer === 'failed') return skipped(md`The panel did not answer the read of ${about}.`);
  const words = md`The panel does not know ${about} at the path of restore-status (404).`;
  const remedy = 'Correct the path in the policy, or remove restore-status: then people say how a restore ended.';
  return age < dayMs
    ? wrong(words, remedy)
    : warning(md`${words} It may have dropped it since ${date(now() - age)}.`, remedy);
});

const backupList = check('backup-list', 'Backups', 'backups', ({ answer, server, backups = 0 }) => {
  if (answer === 'understood') return ok(md`The panel lists ${trusted(count(backups, 'backup'))} of server ${server}.`);
  if (answer === 'failed') return skipped(md`The panel did not answer the read of the backups of server ${server}.`);
  const remedy = 'Correct backup-list in the policy, or remove it: restores then show no dates of backups.';
  return answer === 'not-found'
    ? warning(md`The panel knows nothing at the path of backup-list for server ${server} (404).`, remedy)
    : wrong(md`The panel's answer about server ${server} has no backups with dates where the policy points.`, remedy);
});

const inventory = check('inventory', 'Servers', 'inventory', ({ servers, at, gains, problem }) => {
  if (problem !== undefined)
    return wrong(
      trusted(`The panel's list of servers: ${problem}`),
      'Correct inventory in the policy, and let the token list servers and hypervisor groups.',
    );
  const of = at === undefined ? '' : `, as of ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const words = trusted(`The inventory has ${count(servers, 'server')}${of}.`);
  if (gains === undefined) return ok(words);
  const each = gains.map((gain) => md`${gain.role} ${trusted(String(gain.servers))}`);
  return ok(md`${words} Of these, roles reach: ${list(each)}.`);
});

const dayMs = 86_400_000;

/** What one look at the panel tells. */
export const panelChecks = [reachable, certificate, token, budget];

export const aboutPanel: readonly Check[] = [...panelChecks, clock, restoreStatus, backupList, inventory];
