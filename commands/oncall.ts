import { trusted } from '../src/card.ts';
import { defineLocal } from '../src/command.ts';
import { ageLine, oddities, shiftLine } from '../src/view/on-call.ts';

const whoIsOnCall = defineLocal({
  id: 'oncall',
  danger: 'read',
  needs: 'onCall',
  description: 'Who is on call now, until when, and who is next',
  example: '/oncall',
  options: {},
  title: () => trusted('Who is on call'),
  act(_input, { onCall }) {
    const schedules = onCall.now();
    if (schedules.length === 0)
      return Promise.resolve({ fact: trusted('The policy no longer has a schedule.'), body: [] });
    const lines = schedules.flatMap((each) => [shiftLine(each), ...oddities(each), ...ageLine(each)]);
    return Promise.resolve({ body: lines });
  },
});

export const onCallCommands = [whoIsOnCall];
