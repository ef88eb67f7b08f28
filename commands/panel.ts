import { count, own } from '../src/card.ts';
import { type Command, defineRead, ReadFailed } from '../src/command.ts';
import { outcomeOf, reasons } from '../src/outcome.ts';

const check = defineRead({
  id: 'panel.check',
  description: 'Check the connection, the token and a real read',
  example: '/panel check',
  options: {},
  async view(_input, { read }) {
    await read('connect', {});
    const connected = own('Connection and token: the panel accepted both.');
    try {
      const { total } = await read('groups', { results: 1 });
      return { body: [connected, own(`A real read: works, there are ${count(total, 'hypervisor group')}.`)] };
    } catch (error) {
      if (!(error instanceof ReadFailed)) throw error;
      const { why, next } = reasons[error.answer.reason];
      return {
        outcome: outcomeOf[error.answer.kind],
        body: [connected, own(`A real read: does not work. ${why}`), own(next)],
      };
    }
  },
});

export const panel: readonly Command[] = [check];
