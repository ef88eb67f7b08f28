import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scene, wrong } from '../../helpers/setup/scene.ts';
import { describeAtTerminal } from '../../helpers/setup/terminal.ts';

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
    await alice.sees('The bot is in no guild yet.');
    await alice.chooses('What now?', 'I invited it');
    await alice.sees('The bot is in no guild yet.');
    await alice.chooses('What now?', 'I invited it');
    await alice.sees('The bot is in no guild yet.');
    await alice.chooses('What now?', 'I invited it');
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
    await alice.chooses('How does your team work?');
    await alice.sees('Which roles may use the bot?');
    alice.presses('enter');
    for (const role of ['lead', 'on-call', 'viewer']) await alice.chooses(`What may ${role} do?`);
    await alice.sees('Where does the bot answer?');
    alice.presses('enter');
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
    const machine = await scene({ panel: { tls: true } });
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
