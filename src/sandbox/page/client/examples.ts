import { filled } from './draft.ts';
import { openSide } from './header.ts';
import { addressOf, channelNow, type Page } from './page.ts';
import { offersNow } from './suggest.ts';
import { write } from './write.ts';

/** Something to try: a click puts it into the composer, ready to send. */
export interface Example {
  title: string;
  says: string;
  as: string;
  command: string;
  options: Readonly<Record<string, string>>;
  /** Part of the label of the switch to turn on first. */
  turns?: string;
}

const flush = { command: 'firewall flush', options: { server: 'web-1', reason: 'locked out by rule 7' } };

export const examples: readonly Example[] = [
  {
    title: 'Look at capacity',
    says: 'A read: it shows at once how full group 1 is, as text and as a picture.',
    as: 'alice',
    command: 'hypervisors resources',
    options: { group: '1' },
  },
  {
    title: 'Flush a firewall, and confirm',
    says: 'Destructive, so it asks first and says what it will do. Nothing is sent until you press Flush web-1 under the answer.',
    as: 'alice',
    ...flush,
  },
  {
    title: 'Try the same as carol',
    says: 'You become carol, who may only read: the bot refuses, tells only her why, and sends nothing.',
    as: 'carol',
    ...flush,
  },
  {
    title: 'Restore a backup, and watch',
    says: 'Press the red button, type the server’s name, and watch: the card follows the restore to its end.',
    as: 'alice',
    command: 'backup restore',
    options: { server: 'web-1', disks: '0', reason: 'lost update' },
  },
  {
    title: 'Restart all of staging',
    says: 'One word for several servers: the question names each of them, and each restarts on its own. A server that joins the tier later is not included.',
    as: 'bob',
    command: 'power restart',
    options: { server: 'tier:staging' },
  },
  {
    title: 'Alone at night',
    says: 'You become bob, who may not restore. Ask a lead, or press Break glass: say why, press the red button and type db-1. alice is pinged, and reviews it afterwards.',
    as: 'bob',
    command: 'backup restore',
    options: { server: 'db-1', disks: '0', reason: 'corrupt index' },
  },
  {
    title: 'Break the panel',
    says: 'Open the wrench at the top and turn on “Answers 500 after the effect”, which is marked. Then send this change: the card says UNKNOWN, because the bot cannot know whether it happened. Turn the fault off again and press Check now.',
    as: 'alice',
    command: 'firewall enable',
    options: { server: 'web-1' },
    turns: '500',
  },
  {
    title: 'An alert at night',
    says: 'Under the wrench at the top, turn on “An alert at night”, which is marked: HostDown of web-1 fires, and bob is pinged. On its card, press Acknowledge, Start incident, or the restart that it suggests. Turn it off: it is resolved. This command lists what fires.',
    as: 'bob',
    command: 'alerts list',
    options: {},
    turns: 'An alert',
  },
];

export const lineFor = ({ command, options }: Example): string =>
  [
    `/${command}`,
    ...Object.entries(options).map(([name, value]) => `${name}:${value.includes(' ') ? `"${value}"` : value}`),
  ].join(' ');

/** Fills the composer in #ops as the person of the example, and points at the switch to turn on first. */
export function tryOut(page: Page, example: Example): void {
  const { as, view } = page.state;
  const ops = view?.channels.find((channel) => channel.name === 'ops') ?? view?.channels[0];
  const offer = offersNow(page).find((one) => one.name === example.command);
  if (ops === undefined || offer === undefined) {
    page.set({ examples: false, problem: `There is no /${example.command} yet: panelops is not connected.` });
    return;
  }
  if (example.as !== as || channelNow(page)?.id !== ops.id) {
    // Set directly, without an event: a later event would close the side panel that opens below.
    history.pushState(null, '', addressOf(example.as, ops.id));
    page.set({
      as: example.as,
      channel: ops.id,
      target: undefined,
      drawer: undefined,
      menu: undefined,
      editing: undefined,
    });
  }
  page.set({ examples: false });
  write(page, filled(offer, example.options));
  page.set({ said: `In the composer: ${lineFor(example)}. Enter sends it.` });
  const { turns } = example;
  if (turns === undefined) return;
  openSide(page, 'behind');
  page.set({ pointed: turns });
  point(page);
}

export function point(page: Page): void {
  const { behind, pointed } = page.state;
  const found = behind?.switches.find((one) => pointed !== undefined && one.label.includes(pointed));
  if (found !== undefined) page.focus(`switch-${found.id}`);
}
