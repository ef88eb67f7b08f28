import { count, md, trusted } from '../src/card.ts';
import { defineRead, ReadFailed } from '../src/command.ts';
import { outcomeOf } from '../src/outcome.ts';
import { afterRead, reasons } from '../src/reasons.ts';

const check = defineRead({
  id: 'panel.check',
  description: 'Check the connection, the token and a real read',
  example: '/panel check',
  options: {},
  reads: ['connect', 'groups'],
  async view(_input, { read, access }) {
    const holds = (await access.holds()).map(trusted);
    await read('connect', {}).catch((error: unknown) => {
      throw error instanceof ReadFailed ? new ReadFailed(error.answer, holds) : error;
    });
    const connected = trusted('The connection works, and the panel knows the token.');
    try {
      const { total } = await read('groups', { results: 1 });
      const works = trusted(`A real read works: the panel lists ${count(total, 'hypervisor group')}.`);
      return { body: [connected, works, ...holds, ...access.troubles().map(trusted)] };
    } catch (error) {
      if (!(error instanceof ReadFailed)) throw error;
      const { answer } = error;
      return {
        outcome: outcomeOf[answer.kind],
        body: [
          connected,
          trusted(`But a real read failed. ${reasons[answer.reason].why}`),
          ...('said' in answer && answer.said !== undefined ? [md`The panel says: ${answer.said}`] : []),
          trusted(afterRead(answer)),
          ...holds,
        ],
      };
    }
  },
});

export const panel = [check];
