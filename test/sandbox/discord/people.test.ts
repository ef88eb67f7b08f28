import { beforeEach, expect, test } from 'vitest';
import { ClientRefusal } from '../../../src/sandbox/discord/index.ts';
import { COMMANDS } from '../../helpers/sandbox/discord/bot.ts';
import { type Connection, call, discordForEach, identified } from '../../helpers/sandbox/discord/raw.ts';

const discord = discordForEach({ limits: { posts: false } });
let bot: Connection;

beforeEach(async () => {
  await register([...COMMANDS, MANY, { name: 'hidden', description: 'x', default_member_permissions: '0' }]);
  bot = await identified(discord);
});

const option = (type: number, name: string, rest: object = {}) => ({ type, name, description: 'x', ...rest });
const MANY = {
  name: 'many',
  description: 'One option of each kind',
  options: [
    option(5, 'sure'),
    option(6, 'who'),
    option(7, 'where'),
    option(8, 'role'),
    option(10, 'share', { min_value: 0, max_value: 1 }),
    option(3, 'text', { min_length: 2 }),
  ],
};

async function register(commands: unknown[]) {
  const path = `/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`;
  expect((await call(discord, 'PUT', path, commands)).status).toBe(200);
}

test.each([
  ['/nothing', '/nothing: there is no such command. The commands are: /firewall, /cpu, /many.'],
  ['/hidden', '/hidden: there is no such command. The commands are: /firewall, /cpu, /many.'],
  ['/firewall', '/firewall: /firewall is followed by one of: flush.'],
  ['/firewall drop server:x', '/firewall drop: /firewall is followed by one of: flush.'],
  ['/firewall flush', 'server: This option is required. Specify a value.'],
  ['/firewall flush server:', 'server: This option is required. Specify a value.'],
  ['/firewall flush web-1', 'web-1: options are given as name:value. There are: server, reason.'],
  ['/cpv', '/cpv: there is no such command. Did you mean `/cpu`? The commands are: /firewall, /cpu, /many.'],
  [
    '/firewal flush server:a',
    '/firewal: there is no such command. Did you mean `/firewall flush`? The commands are: /firewall, /cpu, /many.',
  ],
  [
    '/flush server:a',
    '/flush: there is no such command. Did you mean `/firewall flush`? The commands are: /firewall, /cpu, /many.',
  ],
  ['/firewall flsh', '/firewall flsh: /firewall is followed by one of: flush. Did you mean `/firewall flush`?'],
  [
    '/firewall flush servr:web-2',
    'servr: /firewall flush has no such option. Did you mean `server`? There are: server, reason.',
  ],
  [
    '/firewall flush server:a resaon:x',
    'resaon: /firewall flush has no such option. Did you mean `reason`? There are: server, reason.',
  ],
  ['/firewall flush server:a color:b', 'color: /firewall flush has no such option. There are: server, reason.'],
  ['/firewall flush server:a server:b', 'server: this option is there twice.'],
  ['/firewall flush server:a reason:b c', 'c: put a value with spaces in quotes, as in reason:"two words".'],
  ['/firewall flush server:a reason:"b', 'reason: the quotation mark is not closed, or text follows it.'],
  [`/firewall flush server:a reason:${'x'.repeat(21)}`, 'reason: must be 0 to 20 characters long, and is 21.'],
  ['/cpu percent:many', 'percent: must be a whole number.'],
  ['/cpu percent:1.5', 'percent: must be a whole number.'],
  ['/cpu percent:101', 'percent: must be 100 or less.'],
  ['/cpu percent:-1', 'percent: must be 0 or more.'],
  ['/cpu percent:1 interface:third', 'interface: must be one of: primary, secondary.'],
  ['/many sure:maybe', 'sure: must be true or false.'],
  ['/many who:nobody', 'who: there is no nobody here.'],
  ['/many share:1.01', 'share: must be 1 or less.'],
  ['/many text:a', 'text: must be 2 to 6000 characters long, and is 1.'],
  ['  ', 'An empty message cannot be sent.'],
])('a person cannot send %s', async (line, sentence) => {
  await expect(discord.type('alice', 'ops', line)).rejects.toThrow(new ClientRefusal(sentence));
  expect(bot.packets.some((packet) => packet.t === 'INTERACTION_CREATE')).toBe(false);
});

test('options arrive nested, typed and resolved', async () => {
  await discord.type('alice', 'ops', '/firewall flush server:2001:db8::/48 reason:"say \\"hi\\" now"');
  const first = await bot.event('INTERACTION_CREATE');
  expect(first.d['data']).toMatchObject({
    name: 'firewall',
    options: [
      {
        name: 'flush',
        type: 1,
        options: [
          { name: 'server', type: 3, value: '2001:db8::/48' },
          { name: 'reason', type: 3, value: 'say "hi" now' },
        ],
      },
    ],
  });
  await discord.type('bob', 'ops', '/many sure:true who:@carol where:#audit role:lead share:0.5');
  const second = await bot.wait((packet) => packet.t === 'INTERACTION_CREATE' && packet !== first);
  expect(second.d['data']).toMatchObject({
    options: [
      { name: 'sure', type: 5, value: true },
      { name: 'who', type: 6, value: '1400000000000000003' },
      { name: 'where', type: 7, value: '1300000000000000002' },
      { name: 'role', type: 8, value: '1200000000000000003' },
      { name: 'share', type: 10, value: 0.5 },
    ],
    resolved: {
      users: { '1400000000000000003': { username: 'carol' } },
      members: { '1400000000000000003': { roles: ['1200000000000000001'] } },
      channels: { '1300000000000000002': { name: 'audit' } },
      roles: { '1200000000000000003': { name: 'lead' } },
    },
  });
});

test('a choice can be given by its name, and autocomplete needs an option that has it', async () => {
  await discord.type('alice', 'ops', '/cpu percent:1 interface:Secondary');
  expect((await bot.event('INTERACTION_CREATE')).d['data']).toMatchObject({ options: [{}, { value: 'secondary' }] });
  await expect(discord.autocomplete('alice', 'ops', '/cpu percent:1', 'percent')).rejects.toThrow(
    'percent: this option has no autocomplete.',
  );
});

test('a person picked in another option arrives as an id, also during autocomplete', async () => {
  const options = [option(3, 'server', { autocomplete: true }), option(6, 'who')];
  await register([{ name: 'hand', description: 'Hands over', options }]);
  const asked = discord.autocomplete('alice', 'ops', '/hand server:w who:@bob', 'server');
  const { d } = await bot.event('INTERACTION_CREATE');
  expect(d['data']).toMatchObject({
    options: [
      { name: 'server', type: 3, value: 'w', focused: true },
      { name: 'who', type: 6, value: '1400000000000000002' },
    ],
  });
  await call(discord, 'POST', `/interactions/${d['id']}/${d['token']}/callback`, { type: 8, data: { choices: [] } });
  await expect(asked).resolves.toEqual([]);
});

test('an interaction carries the roles of that moment', async () => {
  discord.setRoles('alice', ['viewer']);
  await discord.type('alice', 'ops', '/cpu percent:1');
  expect((await bot.event('INTERACTION_CREATE')).d['member']).toMatchObject({ roles: ['1200000000000000001'] });
  expect(() => discord.setRoles('alice', ['king'])).toThrow('king: there is no such role.');
});

test('a person clicks only what they see and what is enabled', async () => {
  const button = (custom_id: string, rest: object = {}) => ({
    type: 2,
    style: 1,
    label: custom_id,
    custom_id,
    ...rest,
  });
  const components = [{ type: 1, components: [button('on'), button('off', { disabled: true })] }];
  const path = `/channels/${discord.channels.ops}/messages`;
  const { id } = (await call(discord, 'POST', path, { content: 'x', components })).json;
  await discord.click('bob', id, 'on');
  const { d } = await bot.event('INTERACTION_CREATE');
  expect(d).toMatchObject({ type: 3, data: { custom_id: 'on', component_type: 2 }, message: { id, content: 'x' } });
  await expect(discord.click('bob', id, 'off')).rejects.toThrow('off: this button is disabled.');
  await expect(discord.click('bob', id, 'other')).rejects.toThrow('The message has no button other.');
  await expect(discord.click('bob', '1', 'on')).rejects.toThrow('bob sees no message 1.');
  await expect(discord.submit('bob', 'x')).rejects.toThrow('bob has no open form.');
});

test('people delete and edit their own messages; a lead deletes others’ too', async () => {
  const id = await discord.type('bob', 'ops', 'mine');
  expect(() => discord.editMessage('alice', id, 'x')).toThrow('alice may edit only their own messages.');
  expect(() => discord.deleteMessage('carol', id)).toThrow('carol may delete only their own messages.');
  discord.editMessage('bob', id, 'still mine');
  expect(discord.messages('carol', 'ops')).toMatchObject([{ content: 'still mine', edited: true, author: 'bob' }]);
  discord.deleteMessage('alice', id);
  expect(discord.messages('carol', 'ops')).toEqual([]);
});

test('unknown people and channels are named, with those that there are', async () => {
  await expect(discord.type('eve', 'ops', 'x')).rejects.toThrow(
    'eve: there is no such person. There are: alice, bob, carol, mallory.',
  );
  await expect(discord.type('bob', '#lobby', 'x')).rejects.toThrow(
    '#lobby: there is no such channel. There are: #ops, #audit, #random.',
  );
});

test('a wait that times out says what was looked for and what there is', async () => {
  await discord.type('bob', 'ops', 'hello');
  const waiting = discord.until(() => discord.messages('bob', 'audit')[0], 20);
  await expect(waiting).rejects.toThrow(/^It did not happen within 20 ms\.\nLooked for: .*audit[\s\S]*bob: hello/);
});
