import { count, type Markup, md, trusted } from '../src/card.ts';
import { type Access, defineRead, ReadFailed } from '../src/command.ts';
import { outcomeOf } from '../src/outcome.ts';
import { afterRead, reasons } from '../src/reasons.ts';
import { summaryOf } from './check-summary.ts';

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
      const { body } = await rest({ connected: false, failed: error.answer });
      throw new ReadFailed(error.answer, [...holds, ...body]);
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
      const { answer } = error;
      const { body, isWrong: _, ...kept } = await rest({ connected: true, failed: answer });
      return {
        ...kept,
        outcome: outcomeOf[answer.kind],
        fact: connected,
        body: [
          trusted(`But a real read failed. ${reasons[answer.reason].why}`),
          ...('said' in answer && answer.said !== undefined ? [md`The panel says: ${answer.said}`] : []),
          trusted(afterRead(answer)),
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

export const panel = [check];
