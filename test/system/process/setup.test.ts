import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entersBoth, entersPolicy, entersRoles, scene, writtenPolicy, wrong } from '../../helpers/setup/scene.ts';
import { describeAtTerminal } from '../../helpers/setup/terminal.ts';
import { run } from '../../helpers/stage.ts';
import { canaries } from '../../helpers/surroundings.ts';

const untouched = 'Stopped. Nothing was written: all files are as they were.';

describeAtTerminal('setup', () => {
  it('goes back before anything is written, and offers every answer again', async () => {
    const machine = await scene();
    const alice = machine.begins();
    await entersBoth(alice, machine);
    await entersPolicy(alice);
    await alice.chooses('Write ', 'Go back');
    expect(machine.files()).toEqual([]);
    await alice.chooses("The bot's token: you gave one already.");
    await alice.answers("The panel's address", '');
    await alice.chooses("The panel's API token: you gave one already.");
    await entersRoles(alice, 'Strict: two persons');
    await alice.chooses('Which channel gets the trail');
    await alice.chooses('Which servers can people type by name?');
    await alice.answers('Servers: id, name, tier', '101 web-1 production\r102=web-2, db-1 111\r\r');
    await alice.sees('a second person');
    await alice.chooses('Write ', 'Write');
    expect(await alice.exit).toBe(0);
    const policy = machine.text('policy.yaml');
    expect(policy).toContain('  - { match: [destructive], reason: required, approvals: 1 }\n');
    expect(policy).toContain('\naudit-channel: required\n');
    expect(policy).toContain('    allow: [read, write, destructive, audit.history, hold, release]\n');
    expect(policy).toContain('  - { id: 101, name: web-1, tier: production }\n  - { id: 102, name: web-2 }\n');
    expect(policy).toContain('\nunlisted: all\n');
    expect(machine.text('.env')).toContain('AUDIT_CHANNEL_ID=1300000000000000002\n');
    expect(machine.text('.env')).toContain(`PANEL_TOKEN=${canaries.panel}\n`);
  });

  it("takes the servers from the panel's own list, and shows the first ten and their tiers", async () => {
    const machine = await scene();
    machine.panel.stock({ do: 'rename', id: 101, name: '\u001b[2J\u202eweb-1' });
    const alice = machine.begins();
    await entersBoth(alice, machine);
    await entersRoles(alice);
    await alice.chooses('Which channel gets the trail', '#audit');
    await alice.chooses('Which servers can people type by name?', "Those in the panel's own list");
    await alice.sees('102 web-2: every tier');
    await alice.sees('and 2 more');
    await alice.sees('In all: every tier 12.');
    await alice.chooses('Write ', 'Write');
    expect(await alice.exit).toBe(0);
    expect(alice.shown()).not.toContain('\u202e');
    const policy = machine.text('policy.yaml');
    expect(policy).toContain('\ninventory: { source: panel, preset: virtfusion }\n');
    expect(policy).toContain('\nunlisted: nothing\n');
  });

  it('offers what is there, and leaves files alone in which nothing changes', async () => {
    const machine = await scene();
    const env = `# mine
LOG_LEVEL=warn
DISCORD_TOKEN=${canaries.discord}
DISCORD_GUILD_ID=1100000000000000001
PANEL_URL=${machine.panel.url}
PANEL_TOKEN='${canaries.panel}'
AUDIT_CHANNEL_ID=1300000000000000002
`;
    const listed = `# ours
servers:
  - { id: 101, name: web-1, tier: production }
`;
    const policy = `${writtenPolicy
      .replace('    break-glass: true\n', '    servers: ["web-*", 100-199] # ours\n    break-glass: true\n')
      .replace('# What may be done', `${listed}\n# What may be done`)}
# a slip of a digit
timezone: Europe/Berlin
`;
    writeFileSync(join(machine.cwd, '.env'), env);
    writeFileSync(join(machine.cwd, 'policy.yaml'), policy);
    const alice = machine.begins();
    await alice.chooses("The bot's token: it is in .env.");
    await alice.answers("The panel's address", '');
    await alice.chooses("The panel's API token: it is in .env.");
    await alice.chooses('How does your team work?', 'As the policy has it');
    await alice.sees('Where does the bot answer?');
    alice.presses('enter');
    await alice.chooses('Which channel gets the trail');
    await alice.chooses('Which servers can people type by name?', 'Those in the policy (1)');
    await alice.sees('.env stays as it is');
    await alice.sees('policy.yaml stays as it is');
    await alice.sees('.env: other users may read');
    expect(await alice.exit).toBe(0);
    expect(machine.text('.env')).toBe(env);
    expect(machine.files()).toEqual(['.env', 'policy.yaml']);
    expect(machine.text('policy.yaml')).toBe(policy);
  });

  it('replaces a file only when told to, and keeps the old one beside it', async () => {
    const machine = await scene();
    const env = `LOG_LEVEL=warn\nDISCORD_TOKEN=${wrong.discord}\nPANEL_TOKEN=${wrong.panel}\n`;
    const policy = 'roles: [{ role: "1200000000000000001", name: viewer, allow: [read] }]\n';
    writeFileSync(join(machine.cwd, '.env'), env, { mode: 0o644 });
    writeFileSync(join(machine.cwd, 'policy.yaml'), policy);
    const alice = machine.begins();
    await alice.chooses("The bot's token: it is in .env.", 'Type another');
    await alice.answers("The bot's token", machine.discord.token);
    await alice.answers("The panel's address", machine.panel.url);
    await alice.chooses("The panel's API token: it is in .env.", 'Type another');
    await alice.answers("The panel's API token", machine.panel.token);
    await alice.chooses('How does your team work?', 'On call');
    await alice.sees('Which roles may use the bot?');
    alice.presses('enter');
    await alice.chooses('What may viewer do?');
    await alice.sees('Nobody may do everything: no role is Lead.');
    await alice.sees('Where does the bot answer?');
    alice.presses('enter');
    await alice.chooses('Which channel gets the trail', 'None');
    await alice.chooses('Which servers can people type by name?', 'I type');
    await alice.answers('Servers: id, name, tier', '101 web-1\r\r');
    await alice.chooses('.env already exists', 'Replace it');
    await alice.chooses('policy.yaml already exists', 'Keep the old one');
    await alice.chooses('Write ', 'Write');
    expect(await alice.exit).toBe(0);
    const backup = machine.files().find((name) => name.startsWith('.env.bak-')) ?? '';
    expect(machine.files()).toEqual(['.env', backup, 'policy.yaml']);
    expect([machine.text(backup), machine.mode(backup), machine.mode('.env')]).toEqual([env, '600', '600']);
    expect(machine.text('policy.yaml')).toBe(policy);
    expect(machine.text('.env')).toBe(`LOG_LEVEL=warn
DISCORD_TOKEN=${canaries.discord}
PANEL_TOKEN=${canaries.panel}
DISCORD_GUILD_ID=1100000000000000001
PANEL_URL=${machine.panel.url}
`);
  });

  describe.each([
    ['at a question', 'ctrl-c'],
    ['while Discord does not answer', 'ctrl-c'],
    ['while Discord does not answer', 'SIGTERM'],
  ])('stopped %s', (when, how) => {
    it(`by ${how} leaves everything as it was, and says so`, async () => {
      const machine = await scene();
      const env = `DISCORD_TOKEN=${canaries.discord}\n`;
      writeFileSync(join(machine.cwd, '.env'), env);
      if (when !== 'at a question')
        machine.discord.order({ kind: 'delay', ms: 600_000, match: { path: '/users/@me' } });
      const alice = machine.begins();
      await alice.chooses("The bot's token: it is in .env.");
      await alice.sees(when === 'at a question' ? "The panel's address" : 'Asking Discord');
      if (how === 'ctrl-c') alice.presses('ctrl-c');
      else alice.gets('SIGTERM');
      await alice.sees(untouched);
      expect(await alice.exit).toBe(1);
      expect([machine.files(), machine.text('.env')]).toEqual([['.env'], env]);
    });
  });
});

describeAtTerminal('setup in trouble', () => {
  it('asks again after a wrong token, and shows neither', async () => {
    const machine = await scene();
    const { discord, panel } = machine;
    const alice = machine.begins();
    await alice.answers("The bot's token", `Bot ${wrong.discord}`);
    await alice.sees('The token begins with "Bot ".');
    await alice.answers('', `${wrong.discord}`);
    await alice.sees('Discord does not know this token.');
    await alice.answers("The bot's token", discord.token);
    await alice.answers("The panel's address", 'http://panel.example.com');
    await alice.sees('It must use https');
    for (let i = 0; i < 'http://panel.example.com'.length; i += 1) alice.presses('backspace');
    await alice.answers('', panel.url);
    await alice.answers("The panel's API token", wrong.panel);
    await alice.sees("The panel did not accept the bot's token (401)");
    await alice.chooses('What now?', 'Type another token');
    await alice.answers("The panel's API token", panel.token);
    await alice.sees('a real read works');
    await alice.sees('How does your team work?');
  });

  it('waits for a bot that is not invited yet, or was invited without commands', async () => {
    const machine = await scene();
    const { discord } = machine;
    const none = { kind: 'status' as const, status: 200, body: [], match: { path: '/users/@me/guilds' } };
    discord.order({ ...none, times: 3 });
    const refused = { kind: 'status' as const, status: 403, body: { code: 50001, message: 'Missing Access' } };
    discord.order({ ...refused, match: { path: '/applications/*/guilds/*/commands' } });
    const alice = machine.begins();
    await alice.answers("The bot's token", discord.token);
    await alice.sees('permissions=309237894144');
    for (let times = 0; times < 3; times += 1) {
      await alice.sees('The bot is in no guild yet.');
      await alice.chooses('What now?', 'I invited it');
    }
    await alice.sees('In Sandbox the bot may not have commands.');
    await alice.chooses('What now?', 'Done');
    await alice.sees("The panel's address");
  });

  it('goes on without a right or a panel only when told to', async () => {
    const machine = await scene();
    const { discord, panel } = machine;
    const files = { kind: 'forbid-channel' as const, channel: 'ops', right: 'files' as const };
    const embed = { kind: 'forbid-channel' as const, channel: 'audit', right: 'embed' as const };
    discord.order(files);
    discord.order(embed);
    const alice = machine.begins();
    await alice.sees('Setup does not write it: set it for the bot, too');
    await alice.answers("The bot's token", discord.token);
    await alice.answers("The panel's address", 'http://127.0.0.1:9');
    await alice.answers("The panel's API token", panel.token);
    await alice.sees('The panel could not be reached: it refused the connection.');
    await alice.chooses('What now?', 'Continue anyway');
    await entersRoles(alice);
    await alice.chooses('Which channel gets the trail', '#audit');
    await alice.chooses('Which servers can people type by name?', 'None');
    await alice.sees('In `#ops` (`1300000000000000001`) the bot lacks Attach Files.');
    await alice.sees('In `#audit` (`1300000000000000002`) the bot lacks Embed Links.');
    discord.cancel(files);
    await alice.chooses('What now?', 'Done');
    await alice.sees('In `#audit` (`1300000000000000002`) the bot lacks Embed Links.');
    expect(alice.shown().match(/In `#ops` /g)).toHaveLength(1);
    await alice.chooses('What now?', 'Go on');
    await alice.chooses('Write ', 'Write');
    await alice.sees('The configuration is valid. Still to be done:');
    await alice.sees('  - The panel could not be reached: it refused the connection.');
    await alice.sees('  - In `#audit` (`1300000000000000002`) the bot lacks Embed Links.');
    expect(await alice.exit).toBe(0);
  });

  it('takes the file of a private CA, and asks for one again where the certificate is not trusted', async () => {
    const machine = await scene({ tls: true });
    const { discord, panel } = machine;
    writeFileSync(join(machine.cwd, 'ours.pem'), panel.ca ?? '');
    const alice = machine.begins();
    await alice.answers("The bot's token", discord.token);
    await alice.answers("The panel's address", panel.url);
    await alice.answers("The panel's API token", panel.token);
    await alice.sees("The panel's certificate");
    await alice.chooses('What now?', 'A private CA');
    await alice.answers("The file with the CA's certificate", './our.pem');
    await alice.sees('There is no such file');
    for (let i = 0; i < '.pem'.length; i += 1) alice.presses('backspace');
    await alice.answers('', 's.pem');
    await alice.sees('a real read works');
    expect(panel.requests.map(({ path, status }) => [path, status])).toEqual([
      ['/connect', 200],
      ['/compute/hypervisors/groups?results=1', 200],
    ]);
  });
});

it('Setup does not begin without a terminal: 78, and where to read on', async () => {
  const machine = await scene();
  const bot = run({}, { cwd: machine.cwd, args: ['setup'] });
  expect(await bot.exit).toEqual({ code: 78, signal: null });
  expect(bot.stderr()).toBe(
    'setup asks questions: run it in a terminal. Without one, docs/install.md says what to write by hand.\n',
  );
  expect([bot.stdout(), machine.files()]).toEqual(['', []]);
});
