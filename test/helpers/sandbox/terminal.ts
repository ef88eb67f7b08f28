import { PassThrough } from 'node:stream';
import {
  type ConsoleDiscord,
  type ConsoleMessage,
  type ConsoleModal,
  type Pace,
  startConsole,
} from '../../../src/sandbox/console.ts';

const GREETING_ENDS = 'Type help for more.\n\n';

/** A terminal: `write` is the keyboard, `printed` the screen. */
export function openTerminal(discord: ConsoleDiscord, pace: Pace) {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: 'utf8' });
  let text = '';
  const looks = new Set<() => void>();
  output.on('data', (chunk: string) => {
    text += chunk;
    for (const look of [...looks]) look();
  });
  const console = startConsole(discord, input, output, pace);
  const afterGreeting = () => text.slice(text.indexOf(GREETING_ENDS) + GREETING_ENDS.length);
  return {
    console,
    input,
    write: (lines: string) => input.write(lines),
    screen: () => text,
    /** All that was printed after the greeting, once it holds `end`. */
    printed: (end: string) =>
      new Promise<string>((resolve) => {
        const look = () => {
          if (!afterGreeting().includes(end)) return;
          looks.delete(look);
          resolve(afterGreeting());
        };
        looks.add(look);
        look();
      }),
  };
}

interface Posted extends ConsoleMessage {
  channel: string;
  text: string;
  only?: string;
}

/** A Discord of plain data: it records actions, and the test decides their results. */
export function plainDiscord() {
  const posted: Posted[] = [];
  const listeners = new Set<() => void>();
  const forms: Record<string, ConsoleModal> = {};
  const done: string[] = [];
  const clock = { minutes: 2 };
  let onAct: (did: string, interaction: string) => void = () => undefined;
  const act = (did: string) => {
    done.push(did);
    const interaction = `i${done.length}`;
    setImmediate(() => onAct(did, interaction));
    return Promise.resolve(interaction);
  };
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const textOf = (message: ConsoleMessage) =>
    (posted.find((one) => one.id === message.id)?.text ?? '').replace('{left}', `in ${clock.minutes} minutes`);
  const seenBy = (who: string, channel: string) =>
    posted.filter((one) => one.channel === channel && (one.only ?? who) === who);
  const discord: ConsoleDiscord = {
    people: { alice: { roles: ['3'] }, bob: { roles: ['2'] }, carol: { roles: ['1'] }, mallory: { roles: [] } },
    channels: { ops: '11', audit: '12', random: '13' },
    threads: () => [],
    roles: { viewer: '1', 'on-call': '2', lead: '3' },
    type: (who, channel, line) =>
      line === '/nonsense'
        ? Promise.reject(new Error('There is no command /nonsense.'))
        : act(`${who} ${channel} ${line}`),
    click: (who, messageId, customId) => act(`${who} clicks ${messageId} ${customId}`),
    submit: (who, text) => act(`${who} submits ${text}`),
    modalOf: (who) => forms[who],
    messages: (who, channel) => seenBy(who, channel).map((message) => structuredClone(message)),
    view: (who, channel) => seenBy(who, channel).map(textOf).join('\n'),
    viewMessage: (_who, message) => textOf(message),
    changed: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    discord,
    done,
    clock,
    forms,
    changed,
    acts: (does: typeof onAct) => {
      onAct = does;
    },
    post: (id: string, text: string, more: Partial<Posted> = {}) => {
      const at = posted.findIndex((one) => one.id === id);
      const message: Posted = { id, text, channel: 'ops', buttons: [], state: 'sent', ...more };
      posted.splice(at < 0 ? posted.length : at, at < 0 ? 0 : 1, message);
      changed();
    },
  };
}
