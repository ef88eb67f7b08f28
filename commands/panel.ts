import { count, joined, type Markup, md, moment, quote, trusted } from '../src/card.ts';
import type { Line } from '../src/check/line.ts';
import { type Access, defineLocal, defineRead, type ListRefreshed, ReadFailed, type View } from '../src/command.ts';
import { outcomeOf } from '../src/outcome.ts';
import { afterRead, reasons } from '../src/reasons.ts';
import { maybe, reason } from './options.ts';

type Told = Parameters<Access['check']>[0];

const check = defineRead({
  id: 'panel.check',
  description: 'Check the connection, the token and a real read; leads see whatever else the bot needs',
  example: '/panel check',
  options: {},
  reads: ['connect', 'groups'],
  title: () => trusted('Panel check'),
  async view(_input, { read, access }) {
    const holds = (await access.holds()).map(trusted);
    const rest = (told: Told) => restOf(access, told);
    await read('connect', {}).catch(async (error: unknown) => {
      if (!(error instanceof ReadFailed)) throw error;
      const { body } = await rest({ connected: false, failed: error.result });
      throw new ReadFailed(error.result, [...holds, ...body]);
    });
    const connected = trusted('The connection works, and the panel knows the token.');
    try {
      const { total } = await read('groups', { results: 1 });
      const works = trusted(`A real read works: the panel lists ${count(total, 'hypervisor group')}.`);
      const { body, isWrong, ...kept } = await rest({ connected: true, groups: total });
      return {
        ...kept,
        ...(isWrong ? { outcome: 'failed' } : {}),
        fact: connected,
        body: [works, ...holds, ...access.troubles().map(trusted), ...body],
      };
    } catch (error) {
      if (!(error instanceof ReadFailed)) throw error;
      const { result } = error;
      const { body, isWrong: _, ...kept } = await rest({ connected: true, failed: result });
      return {
        ...kept,
        outcome: outcomeOf[result.kind],
        fact: connected,
        body: [
          trusted(`But a real read failed. ${reasons[result.reason].why}`),
          ...('said' in result && result.said !== undefined ? [md`The panel says: ${result.said}`] : []),
          trusted(afterRead(result)),
          ...holds,
          ...body,
        ],
      };
    }
  },
});

interface Rest {
  body: readonly Markup[];
  isWrong: boolean;
  isPrivate?: true;
}

/** Whoever may verify the ledger sees the rest, alone: it names roles, channels and settings. */
async function restOf(access: Access, told: Told): Promise<Rest> {
  const verify = access.commands.find(({ id }) => id === 'audit.verify');
  if (!access.isPrivate || verify === undefined || !access.decide(verify).allowed) return { body: [], isWrong: false };
  return { ...summaryOf(await access.check(told)), isPrivate: true };
}

const digest = maybe<string>({
  type: 'string',
  description: 'The digest of a list that counts as it is; only with a reason',
  max: 12,
  example: '3f9a0c2b71de',
  read(raw, { refuse }) {
    const text = String(raw).trim().toLowerCase();
    return /^[0-9a-f]{12}$/.test(text) ? text : refuse('write the 12 letters and digits that the bot showed');
  },
});

const refresh = defineLocal({
  id: 'panel.refresh',
  danger: 'write',
  byName: true,
  description: "Read the panel's list of servers now, or accept one that waits for your word",
  example: '/panel refresh',
  options: { accept: digest, reason },
  subject: () => trusted('the list of servers'),
  resume: () => ({ outcome: 'not-sent', body: [trusted('The bot was restarted. Type it again.')] }),
  async act({ accept, reason: why }, { inventory, actor }) {
    if (accept !== undefined && why === undefined)
      return { outcome: 'invalid', body: [trusted('Say why this list is right: add a reason. Nothing was accepted.')] };
    return refreshed(await inventory.refresh(actor, accept && why ? { accept, why } : undefined));
  },
});

/** Names in it are the panel's: they are shown as code. */
function refreshed(came: ListRefreshed): View {
  if (came.kind === 'off')
    return { outcome: 'invalid', body: [trusted('The policy does not take its servers from the panel.')] };
  if (came.kind === 'taken')
    return {
      fact: trusted(`The panel lists ${count(came.servers, 'server')}.`),
      body:
        came.difference.length === 0 ? [trusted('Nothing changed.')] : came.difference.map((line) => quote(line, 500)),
      ...(came.changed === 0 ? {} : { nextSteps: [acceptChanged(came)] }),
    };
  const kept =
    came.since === undefined
      ? trusted('No names are known.')
      : md`The bot keeps using the list of ${moment(came.since)}.`;
  if (came.kind === 'failed') return { outcome: 'failed', fact: trusted(came.words), body: [kept] };
  return {
    outcome: 'blocked',
    fact: trusted(`The list looks wrong: ${came.words}. It is not in use.`),
    body: [kept],
    nextSteps: [md`If the list is right: ${`/panel refresh accept:${came.digest} reason:…`}`],
  };
}

const acceptChanged = ({ changed, digest: of }: Extract<ListRefreshed, { kind: 'taken' }>): Markup =>
  md`${count(changed, 'server')} renamed or moved since the list was last accepted; one that got another tier is held to both. To accept: ${`/panel refresh accept:${of} reason:…`}`;

export const panel = [check, refresh];

/** What the card says already, in the panel's own words. */
const saidAbove: readonly string[] = ['panel', 'panel-token'];

/** How many problems a card shows: it is read on a phone. */
const most = 8;

/** Problems first, each with what to do, then how much is well. */
function summaryOf(lines: readonly Line[]): { body: readonly Markup[]; isWrong: boolean } {
  const of = (state: Line['state']): Line[] => lines.filter((line) => line.state === state);
  const bad = [...of('wrong'), ...of('warning')].filter(({ check }) => !saidAbove.includes(check));
  const left = of('skipped');
  const body = [
    ...bad.slice(0, most).map(problemOf),
    ...(bad.length > most ? [trusted(`${count(bad.length - most, 'more problem')}: panelops check lists all.`)] : []),
    trusted(`**${count(of('ok').length, 'check')} OK.**`),
    ...(left.length === 0 ? [] : [trusted(`-# Not checked: ${left.map(({ title }) => title).join(', ')}.`)]),
  ];
  return { body, isWrong: of('wrong').length > 0 };
}

const marks = { wrong: 'Wrong', warning: 'Warning', ok: 'OK', skipped: 'Not checked' } as const;

const problemOf = ({ state, title, words, remedy }: Line): Markup =>
  joined(
    [
      md`**${trusted(marks[state])}: ${trusted(title)}.** ${words}`,
      ...(remedy === undefined ? [] : [md`-# ${remedy}`]),
    ],
    '\n',
  );
