import type { DiscordFault, SandboxDiscord } from '../discord/index.ts';
import type { Fault, SandboxPanel } from '../panel/index.ts';
import type { LedgerEntry } from './behind.ts';
import type { Switch } from './protocol.ts';

export interface Lever extends Omit<Switch, 'on'> {
  /** With `once`: whether it still has an effect. */
  isOn(): boolean;
  /** With `once`, always called with true. */
  turn(on: boolean): void | Promise<void>;
}

export interface Breakable {
  discord: SandboxDiscord;
  /** Missing: the panel is not ours to break. */
  panel?: SandboxPanel;
  /** Missing: the Redis is not ours to kill. */
  killRedis?: () => void;
  /** Missing: the bot posts nothing in #audit. */
  trail?: true;
  /** Missing: the bot takes no alerts. */
  alerts?: TakesAlerts | undefined;
  entries(): readonly LedgerEntry[];
}

/** Where the bot takes alerts, and from whom. */
export interface TakesAlerts {
  url: string;
  name: string;
  token: string;
}

/** Everything that can be broken, in display order. */
export const leversOf = ({ discord, panel, killRedis, trail, alerts, entries }: Breakable): Lever[] => [
  ...(panel ? panelLevers(panel) : []),
  ...(alerts ? [alertLever(alerts, panel?.state.servers[0]?.name, entries)] : []),
  {
    id: 'discord-cut',
    label: 'Cut the Discord connection',
    watch: 'The bot goes offline and is back within seconds; what was typed meanwhile is delivered then.',
    kind: 'once',
    isOn: () => false,
    turn: () => discord.order({ kind: 'drop-gateway', code: 1006 }),
  },
  ...(killRedis ? [redisLever(killRedis)] : []),
  roleLever(discord),
  ...(panel ? [clockLever(panel)] : []),
  ...(trail ? [auditLever(discord), deletionLever(discord)] : []),
];

function panelLevers(panel: SandboxPanel): Lever[] {
  const faultLever = (words: Pick<Lever, 'id' | 'label' | 'watch'>, fault: Fault): Lever => ({
    ...words,
    kind: 'toggle',
    isOn: () => panel.isOrdered(fault),
    async turn(on) {
      if (!on) await panel.cancel(fault);
      else if (!panel.isOrdered(fault)) panel.order(fault);
    },
  });
  return [
    faultLever(
      {
        id: 'panel-slow',
        label: 'Panel slow',
        watch: 'The card says WORKING at once, and how it ended eight seconds later.',
      },
      { kind: 'delay', ms: 8000, times: 0 },
    ),
    faultLever(
      {
        id: 'panel-down',
        label: 'Panel down',
        watch: 'The card says NOT-SENT, because nothing left the bot, and offers Ask again.',
      },
      { kind: 'refuse' },
    ),
    faultLever(
      {
        id: 'panel-silent',
        label: 'Panel silent',
        watch:
          'The panel makes a change and never answers. After 15 seconds, or 45 if the change is applied at once, the card says UNKNOWN, and the bot never sends it again.',
      },
      { kind: 'hang-after', match: { changes: true }, times: 0 },
    ),
    faultLever(
      {
        id: 'error-after-effect',
        label: 'Answers 500 after the effect',
        watch: 'The change happened, but the card says UNKNOWN: the bot cannot know, and never sends it again.',
      },
      { kind: 'status-after', status: 500, match: { changes: true }, times: 0 },
    ),
    faultLever(
      {
        id: 'no-in-success',
        label: 'Refuses with a success status',
        watch:
          'The panel does not make the change, but answers 200 with an error in it: the card says UNKNOWN, and quotes it.',
      },
      {
        kind: 'status-before',
        status: 200,
        body: { success: false, errors: ['The server is suspended.'] },
        match: { changes: true },
        times: 0,
      },
    ),
    faultLever(
      {
        id: 'proxy-refuses',
        label: 'A proxy refuses',
        watch:
          'Something in front of the panel answers 403 in JSON: the card does not take that for the panel’s answer, and says UNKNOWN.',
      },
      { kind: 'status-before', status: 403, body: { message: 'Forbidden' }, times: 0 },
    ),
    faultLever(
      {
        id: 'wrong-token',
        label: 'Wrong token',
        watch: 'The panel says 401 once; after that the bot sends nothing for a minute, so that it is not locked out.',
      },
      { kind: 'wrong-token', times: 0 },
    ),
    {
      id: 'rate-limit',
      label: 'Use up the rate limit',
      watch: 'For a minute the panel says 429; the card says that the requests are used up, and that nothing was done.',
      kind: 'once',
      isOn: panel.isExhausted,
      turn: panel.exhaust,
    },
  ];
}

/** Says what a monitoring would, to the port at which it would. The ledger knows whether it fires. */
function alertLever(
  { url, name, token }: TakesAlerts,
  server: string | undefined,
  entries: Breakable['entries'],
): Lever {
  const alert = { key: `${server} down`, title: 'HostDown', severity: 'critical', server };
  const last = () =>
    entries()
      .flatMap(({ news = [] }) => news)
      .findLast(({ source, title }) => source === name && title === alert.title);
  return {
    id: 'alert-at-night',
    label: 'An alert at night',
    watch:
      'HostDown of the first server fires, and a card in #ops pings whoever is on call: Acknowledge it, Start incident, or press what it suggests. Turned off, it is resolved.',
    kind: 'toggle',
    isOn: () => last()?.state === 'firing',
    async turn(on) {
      const { status } = await fetch(`${url}/alerts/generic`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ ...alert, status: on ? 'firing' : 'resolved' }),
      });
      if (status !== 202) throw new Error(`The bot did not take the alert (${status}). Try again.`);
    },
  };
}

const redisLever = (kill: () => void): Lever => ({
  id: 'redis-killed',
  label: 'Kill Redis',
  watch:
    'Start a restore, press this, and send a change right away: it works all the same, because Redis only holds the queue of follow-ups. A second later a new Redis is there, and the bot follows the restore again.',
  kind: 'once',
  isOn: () => false,
  turn: kill,
});

function roleLever(discord: SandboxDiscord): Lever {
  const { bob } = discord.people;
  const role = discord.roles['on-call'];
  return {
    id: 'bob-role',
    label: 'Take the on-call role from bob',
    watch: 'What bob types is DENIED from now on, and so is Confirm on a question that he has open.',
    kind: 'toggle',
    isOn: () => !bob.roles.includes(role),
    turn(taken) {
      const others = bob.roles.filter((each) => each !== role);
      discord.setRoles('bob', taken ? others : [...others, role]);
    },
  };
}

const clockLever = (panel: SandboxPanel): Lever => ({
  id: 'restore-clock',
  label: 'Finish running restores',
  watch: 'Running restores end in the panel now. At its next look, the bot says so on the card, and pings.',
  kind: 'once',
  isOn: () => false,
  turn: panel.endRestores,
});

function auditLever(discord: SandboxDiscord): Lever {
  const closed: DiscordFault = { kind: 'forbid-channel', channel: 'audit', right: 'send' };
  return {
    id: 'audit-closed',
    label: 'Close #audit to the bot',
    watch:
      'Changes continue, and their cards say that the audit channel is behind. Once it is open, the bot posts what is missing. With audit-channel: required in the policy, changes would wait.',
    kind: 'toggle',
    isOn: () => discord.isOrdered(closed),
    turn(on) {
      if (!on) discord.cancel(closed);
      else if (!discord.isOrdered(closed)) discord.order(closed);
    },
  };
}

const first = ({ people }: SandboxDiscord): string => Object.keys(people)[0] ?? '';

const deletionLever = (discord: SandboxDiscord): Lever => ({
  id: 'audit-deleted',
  label: `Delete the newest message of the trail as ${first(discord)}`,
  watch: 'The bot posts it again, with a line that says what was deleted. The ledger records that, too.',
  kind: 'once',
  isOn: () => false,
  turn() {
    const newest = discord.messages(first(discord), 'audit').findLast(({ author }) => author === 'panelops');
    if (newest) discord.deleteMessage(first(discord), newest.id);
  },
});
