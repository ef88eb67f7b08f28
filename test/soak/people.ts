import { ClientRefusal, type Modal, type SandboxDiscord, type SeenMessage } from '../../src/sandbox/discord/index.ts';
import { textsOf } from './cards.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

const people = ['alice', 'alice', 'alice', 'alice', 'alice', 'bob', 'bob', 'bob', 'carol', 'mallory'] as const;
const names = 'web-1 web-2 web-3 db-1 db-2 mail-1 cache-1 build-1 legacy-1 vpn-1 lab-1 lab-2'.split(' ');
/** Few of them most of the time, so that commands meet. */
const busy = ['web-1', 'web-1', 'web-2', 'web-3', 'mail-1', ...names];

/** Lines with `S` for a server, `M` for up to three and `N` for a small number. */
const lines = [
  '/power boot server:M',
  '/power boot server:M reason:"after the outage"',
  '/power shutdown server:M',
  '/power restart server:M',
  '/power poweroff server:S reason:stuck',
  '/firewall disable server:M',
  '/firewall disable server:S remind:5m',
  '/firewall enable server:M',
  '/firewall enable server:S sync:false',
  '/firewall sync server:M',
  '/firewall flush server:S',
  '/firewall replace server:S rulesets:1,2',
  '/whitelist add server:S network:198.51.100.N',
  '/whitelist remove server:S address:198.51.100.N',
  '/ipv4 assign server:S quantity:N',
  '/ipv4 add server:S addresses:203.0.113.2N',
  '/ipv4 remove server:S addresses:203.0.113.2N',
  '/traffic add server:S month:5 amount:N00',
  '/backup restore server:S disks:0 reason:"lost update"',
  '/backup restore server:S disks:0 reason:broken',
  '/cpu throttle server:M percent:N0',
  '/cpu throttle server:S percent:N0 sync:false',
  '/vlan set server:web-1 vlan:7 native-mode:1',
  '/firewall replace server:S',
  '/power boot server:nothing-1',
  '/firewall show server:S',
  '/traffic show server:S',
  '/hypervisors resources group:1',
  '/panel check',
  '/follow-ups list',
  '/follow-ups stop server:S',
  '/handover',
  '/incident start title:"too slow"',
  '/audit history server:S',
  '/can command:power.boot server:S',
] as const;

const lineOf = (random: Random): string =>
  random
    .pick(lines)
    .replace(
      /\bM\b/,
      Array.from({ length: random.chance(0.6) ? 1 : random.between(2, 3) }, () => random.pick(busy)).join(),
    )
    .replace(/\bS\b/, random.pick(busy))
    .replace(/N/, String(random.between(1, 4)));

/** One of the four does something. Answers whether it was a command. */
export async function act(stage: Stage, random: Random): Promise<'command' | 'click' | 'form' | 'nothing'> {
  const { discord, story } = stage;
  try {
    const typist = people.find((who) => discord.modalOf(who) !== undefined);
    if (typist !== undefined && random.chance(0.7)) return await fillIn(stage, random, typist);
    if (random.chance(0.5) && (await click(stage, random))) return 'click';
    const who = random.pick(people);
    const line = lineOf(random);
    // Where an incident has a thread, some of it happens there.
    const place = random.pick(['ops', 'ops', 'ops', ...threadsOf(discord)]);
    const id = await discord.type(who, place, line);
    story.tellOf(who, `types ${line} (${id})`);
    return 'command';
  } catch (error) {
    // What a person's app would not send, such as a command that is not registered yet.
    if (error instanceof ClientRefusal) return 'nothing';
    throw error;
  }
}

async function fillIn({ discord, story }: Stage, random: Random, who: string): Promise<'form'> {
  const modal = discord.modalOf(who);
  if (modal === undefined) return 'form';
  if (random.chance(0.1)) {
    discord.dismiss(who);
    story.tellOf(who, `closes a form`);
    return 'form';
  }
  const text = random.chance(0.85) ? wantedBy(modal) : 'something else';
  await discord.submit(who, text);
  story.tellOf(who, `sends the form "${modal.title}" with ${text}`);
  return 'form';
}

/** A server's name where the form asks for it. */
function wantedBy({ title, inputs }: Modal): string {
  const words = [title, ...inputs.flatMap(({ label, placeholder, value }) => [label, placeholder, value])].join(' ');
  return names.find((name) => words.includes(name)) ?? 'the console says so';
}

/** Presses a button on one of the newest cards; false where there is none. */
async function click({ discord, story }: Stage, random: Random): Promise<boolean> {
  const someone = random.pick(people);
  const cards = withButtons(discord, someone).slice(-12);
  if (cards.length === 0) return false;
  // A question does not wait for long.
  const questions = cards.filter((card) => textsOf(card).word === 'question');
  const card = random.pick(questions.length > 0 && random.chance(0.7) ? questions : cards);
  const buttons = card.buttons.filter(isPressable);
  const isQuestion = questions.includes(card);
  const [first] = buttons;
  const button = isQuestion && first !== undefined && random.chance(0.8) ? first : random.pick(buttons);
  const who = card.usedBy !== undefined && random.chance(0.8) ? card.usedBy : someone;
  const times = random.chance(0.1) ? 2 : 1;
  for (let n = 0; n < times; n += 1) {
    const id = await discord.click(who, card.id, button.customId);
    story.tellOf(who, `clicks ${button.label} on ${card.id} (${textsOf(card).invocation}) (${id})`);
  }
  return true;
}

const isPressable = ({ disabled, customId }: SeenMessage['buttons'][number]): boolean => !disabled && customId !== '';

const threadsOf = (discord: SandboxDiscord): string[] =>
  discord.threads().flatMap(({ id, archived }) => (archived ? [] : [id]));

const withButtons = (discord: SandboxDiscord, who: string): SeenMessage[] =>
  ['ops', ...threadsOf(discord)]
    .flatMap((place) => discord.messages(who, place))
    .filter(({ buttons }) => buttons.some(isPressable));
