import { expect, it } from 'vitest';
import { md } from '../../src/card.ts';
import { ReadFailed } from '../../src/command.ts';
import type { Found } from '../../src/decide/decision.ts';
import { entryOf } from '../../src/decide/entries.ts';
import { alice, bob, carol, type Scene, scene, told } from '../helpers/decide/scene.ts';

const unknown = (here: Scene, command = 'firewall.enable', options: object = {}): string =>
  here.sends(alice, command, { server: 'web-1', ...options }, { outcome: 'unknown', reason: 'timeout' });
const typed = { typed: 'seen in the panel' };

it.each<[string, (here: Scene) => ReturnType<Scene['presses']>, string]>([
  [
    'asks how they know',
    (here) => here.presses(bob, 'happened', unknown(here)),
    'asks /firewall enable · web-1 | How do you know that it happened?',
  ],
  [
    'is chosen in a form, with how they know',
    (here) => here.presses(bob, 'say', unknown(here)),
    'asks /firewall enable · web-1 | What happened? It happened, It did not happen | How do you know?',
  ],
  [
    'may also be under way, where such a thing is followed',
    (here) => here.presses(alice, 'say', unknown(here, 'power.shutdown')),
    'What happened? It happened, It is under way, It did not happen | How do you know? Or its job number',
  ],
  [
    'is recorded as it was chosen',
    (here) => here.presses(alice, 'say', unknown(here, 'power.shutdown'), { ...typed, chosen: 'running' }),
    'records resolved, follow-up',
  ],
  [
    'is one of those that were offered',
    (here) => here.presses(bob, 'say', unknown(here), { ...typed, chosen: 'running' }),
    'Choose what happened. Nothing was recorded.',
  ],
  ['is recorded', (here) => here.presses(bob, 'not-happened', unknown(here), typed), 'records resolved'],
  [
    'needs words that somebody can see',
    (here) => here.presses(bob, 'happened', unknown(here), { typed: '\u200b' }),
    'Say how you know. Nothing was recorded.',
  ],
  [
    'is not for those who may not run it',
    (here) => here.presses(carol, 'happened', unknown(here)),
    'DENIED /firewall enable',
  ],
  [
    'is said once',
    (here) => {
      const id = unknown(here);
      here.does(bob, 'happened', id, typed);
      return here.presses(alice, 'not-happened', id, typed);
    },
    'that it happened. Your click changed nothing.',
  ],
  [
    'is not answered on another message',
    (here) => {
      const place = { guild: '1100000000000000001', channel: '1300000000000000001', message: '9' };
      return here.presses(bob, 'happened', unknown(here), { place });
    },
    'Nothing of this card is left to do',
  ],
  [
    'is not answered where the policy answers no commands',
    (here) => {
      const id = unknown(here);
      here.changePolicy(/"1300000000000000001"/g, '"1300000000000000009"');
      return here.presses(bob, 'happened', id);
    },
    'This button is not answered here. Nothing was recorded.',
  ],
  [
    'of what is under way starts following it by its number',
    (here) => here.presses(alice, 'running', unknown(here, 'power.shutdown'), { typed: '#77' }),
    'records resolved, follow-up',
  ],
])('What somebody says of an unknown run %s', (_what, pressed, expected) => {
  expect(told(pressed(scene()))).toContain(expected);
});

it.each([
  ['9003', 9003],
  ['#9003', 9003],
  ['job 9003', 9003],
  ['Job #9003', 9003],
  ['item 5003', 5003],
  ['QUEUE ITEM 5003', 5003],
  ['queue item #5003', 5003],
  ['queue 5003', undefined],
  ['job 9003 at 11 %', undefined],
  ['it is job 9003', undefined],
  ['job', undefined],
])('of a restore that is under way, %j is its number %s', (words, job) => {
  const here = scene();
  const id = unknown(here, 'backup.restore', { disks: '0', reason: 'lost update' });
  here.does(alice, 'running', id, { typed: words });
  expect(here.state(id)?.resolved?.why).toBe(words);
  expect(here.state(id)?.followUp?.started.job).toBe(job);
});

it('what happened can be undone and is reminded of as if the panel had said yes', () => {
  const here = scene();
  const id = unknown(here, 'firewall.disable', { remind: '2h' });
  here.does(alice, 'happened', id, typed);
  expect(here.state(id)?.resolved).toMatchObject({
    ...{ happened: true, why: 'seen in the panel', actor: { name: 'alice' } },
    ...{ undo: { command: 'firewall.enable' }, place: { message: '1500000000000000001' } },
  });
});

it('a job that is another run’s starts nothing', () => {
  const here = scene();
  here.does(alice, 'running', unknown(here, 'power.shutdown'), { typed: '77' });
  const other = here.presses(alice, 'running', unknown(here, 'power.restart'), { typed: '77' });
  expect(told(other)).toMatch(
    /says NOT-SENT your click\nThat is the number of .*, another one. Nothing was recorded\./,
  );
});

it('what is followed by hand ends when somebody says so, once', () => {
  const here = scene();
  const id = unknown(here, 'power.shutdown');
  here.does(alice, 'running', id, { typed: 'seen' });
  const run = `${id}.1`;
  expect(told(here.presses(carol, 'follow', id, { payload: `${run}:finished` }))).toContain('DENIED /power shutdown');
  expect(told(here.does(alice, 'follow', id, { payload: `${run}:finished` }))).toBe('records follow-up');
  expect(told(here.presses(bob, 'follow', id, { payload: `${run}:failed` }))).toContain('It has already ended');
  expect(told(here.presses(bob, 'follow', id, { payload: `${run}:gone` }))).toContain('Nothing of this card is left');
});

it.each([
  ['wants a reason of who runs it', 'commands:\n', 'commands:\n  - { match: ["power.*"], reason: required }\n'],
  ['lets nobody run it on so many servers', 'most: 10', 'most: 1'],
] as const)('a job of yesterday ends when somebody says so, although the policy now %s', (_what, from, to) => {
  const here = scene();
  const id = unknown(here, 'power.shutdown', { server: 'web-1,web-2' });
  here.does(alice, 'running', id, { typed: 'seen' });
  here.changePolicy(from, to);
  expect(told(here.presses(alice, 'follow', id, { payload: `${id}.1:finished` }))).toBe('records follow-up');
});

/** Nobody saw in time how its job ended. */
function lost(here: Scene): string {
  const id = unknown(here, 'power.shutdown');
  here.does(alice, 'running', id, { typed: '77' });
  const { run, command, options = {}, server } = here.state(id)?.outcome ?? expect.fail('nothing was sent');
  const of = { run, command, options, server, actor: alice, place: here.place };
  here.record({ ...of, kind: 'follow-up', step: 'ended', follow: 'power', job: 77, end: 'unknown' });
  return id;
}
const looksAt = (job: Found['job']) => (here: Scene) => here.presses(alice, 'check', lost(here), { found: { job } });

it.each([
  ['holds', 'power.boot', { enabled: false }],
  ['does not hold', 'firewall.enable', undefined],
])(
  'what a question read before that was closed later %s against a run if %s was done since',
  (_what, since, before) => {
    const here = scene();
    const work = here.workOf(alice, 'firewall.disable', { server: 'web-1' });
    const runs = work.runs.map((run) => ({ ...run, facts: { enabled: false, rules: 4 } }));
    const question = here.asks(alice, 'firewall.disable', { server: 'web-1' }, { ...work, runs });
    here.sends(bob, since, { server: 'web-1' }, { outcome: 'succeeded' });
    here.does(alice, 'cancel', question);
    const checked = here.presses(alice, 'check', unknown(here));
    expect(checked).toMatchObject({ kind: 'lookup', lookup: { kind: 'verdict', before } });
  },
);

const says = [md`Now: 0 rules.`];

it.each<[string, (here: Scene) => ReturnType<Scene['presses']>, string | RegExp]>([
  ['looks', (here) => here.presses(carol, 'check', unknown(here)), 'looks at verdict'],
  [
    'lets whoever may run it conclude',
    (here) => {
      const verdict = { happened: true, fact: md`It looks as if it happened.`, says };
      return here.presses(alice, 'check', unknown(here), { found: { verdict } });
    },
    'It looks as if it happened.\nNow: 0 rules.\nIf you agree, press the button below and say how you know.',
  ],
  [
    'tells a reader alone what is there',
    (here) => {
      const verdict = { happened: true, fact: md`It looks as if it happened.`, says };
      return here.presses(carol, 'check', unknown(here), { found: { verdict } });
    },
    /Whoever may run \/firewall enable there says so on \[its card\]/,
  ],
  [
    'concludes nothing once the server was changed again',
    (here) => {
      const id = unknown(here);
      here.sends(bob, 'firewall.disable', { server: 'web-1' }, { outcome: 'succeeded' });
      const verdict = { happened: true, fact: md`It looks as if it happened.`, says };
      return here.presses(alice, 'check', id, { found: { verdict } });
    },
    'A look cannot show how it ended: the server has been changed since.',
  ],
  [
    'nor while another change of it is under way, whose work it may see',
    (here) => {
      const id = unknown(here);
      const work = here.workOf(bob, 'firewall.enable', { server: 'web-1' });
      for (const run of work.runs) here.record({ ...entryOf(work, run), kind: 'intent' });
      const verdict = { happened: true, fact: md`It looks as if it happened.`, says };
      return here.presses(alice, 'check', id, { found: { verdict } });
    },
    'A look cannot show how it ended: the server has been changed since.',
  ],
  [
    'says that the panel could not be read',
    (here) => {
      const verdict = new ReadFailed({ kind: 'unknown', reason: 'timeout' });
      return here.presses(alice, 'check', unknown(here), { found: { verdict } });
    },
    'This look did not show how it ended.',
  ],
  ['looks at a job', looksAt(undefined), 'looks at job'],
  [
    'lets whoever may run it conclude how a job ended',
    looksAt({ kind: 'seen', state: 'succeeded', word: 'complete' }),
    'It finished: the panel says `complete`.\nIf you agree, press the button below.',
  ],
  [
    'says that a job could not be read',
    looksAt({ kind: 'failed', why: 'timeout' }),
    /NOT-SENT[^\n]*\nThe panel did not answer[\s\S]*This look did not show how it ended.\nPress it again/,
  ],
  [
    'says when the limit lets it look at a job',
    looksAt({ kind: 'later', at: Date.parse('2026-11-19T22:05:00Z') }),
    'This look did not show how it ended.\nPress it again <t:1795125900:R>.',
  ],
  [
    'says where a job cannot be read at all',
    looksAt('none'),
    'The panel offers no way to read that.\nThis look did not show how it ended.\nCheck the panel',
  ],
  [
    'is over once somebody said how it ended',
    (here) => {
      const id = unknown(here);
      here.does(bob, 'happened', id, typed);
      return here.presses(alice, 'check', id);
    },
    'Nothing of this card is left to do',
  ],
])('Check now %s', (_what, pressed, expected) => {
  expect(told(pressed(scene()))).toMatch(expected);
});
