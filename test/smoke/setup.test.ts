import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { folder } from '../helpers/ledger/samples.ts';
import { until } from '../helpers/messages.ts';
import { entersBoth, entersPolicy, writtenPolicy } from '../helpers/setup/scene.ts';
import { atTerminal, describeAtTerminal } from '../helpers/setup/terminal.ts';
import { run } from '../helpers/stage.ts';

describeAtTerminal('setup', () => {
  it("takes a new user from the sandbox's tokens to a bot that answers in its Discord", async () => {
    const cwd = folder();
    const sandbox = run({}, { cwd, args: ['sandbox'] });
    onTestFinished(() => void sandbox.child.kill('SIGKILL'));
    const printed =
      /export (DISCORD_API_URL)=(\S+)\n.*bot's token:\s+(\S+)\n.*address:\s+(\S+)\n.*API token:\s+(\S+)\n/s;
    const [, name = '', apiUrl = '', token = '', url = '', panelToken = ''] = await until(
      () => printed.exec(sandbox.stdout()) ?? undefined,
      'what setup asks for',
    );
    const env = { [name]: apiUrl };

    const alice = atTerminal('setup', env, cwd);
    await entersBoth(alice, { discord: { token }, panel: { url, token: panelToken } });
    await entersPolicy(alice);
    await alice.chooses('Write ', 'Write');
    await alice.sees('The configuration is valid.');
    expect(await alice.exit).toBe(0);
    expect(alice.shown()).toContain(
      '\nhttps://discord.com/oauth2/authorize?client_id=1000000000000000001&scope=bot+applications.commands&permissions=309237894144\r\n',
    );
    expect([token, panelToken].filter((each) => alice.shown().includes(each))).toEqual([]);
    const text = (file: string): string => readFileSync(join(cwd, file), 'utf8');
    const mode = (file: string): string => (statSync(join(cwd, file)).mode & 0o777).toString(8);
    expect(readdirSync(cwd).sort()).toEqual(['.env', 'data', 'policy.yaml']);
    expect([mode('.env'), mode('policy.yaml')]).toEqual(['600', '644']);
    expect(text('.env')).toBe(`# Written by panelops setup. The tokens are in it: keep it to yourself.
# .env.example lists every other variable, with what it is for.

DISCORD_TOKEN=${token}
DISCORD_GUILD_ID=1100000000000000001
AUDIT_CHANNEL_ID=1300000000000000002
PANEL_URL=${url}
PANEL_TOKEN=${panelToken}
`);
    expect(text('policy.yaml')).toBe(writtenPolicy);

    const bot = run(env, { cwd });
    onTestFinished(() => void bot.child.kill('SIGKILL'));
    expect(await bot.ready()).toMatchObject({ discord: apiUrl });
    sandbox.child.stdin?.write('bob /firewall show server:101\n');
    await until(() => sandbox.stdout().includes('Firewall of server 101') || undefined, 'the answer');
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await sandbox.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(sandbox.stderr()).toBe('');
  });
});
