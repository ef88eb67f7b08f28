import { expect, it, onTestFinished } from 'vitest';
import { entersBoth, entersPolicy, scene, writtenPolicy } from '../helpers/setup/scene.ts';
import { describeAtTerminal } from '../helpers/setup/terminal.ts';
import { run } from '../helpers/stage.ts';
import { canaries } from '../helpers/world.ts';

describeAtTerminal('setup', () => {
  it('takes a team from nothing to a bot that is ready', async () => {
    const machine = await scene();
    const { discord, panel } = machine;
    const alice = machine.begins();
    await entersBoth(alice, machine);
    await entersPolicy(alice);
    await alice.chooses('Write ', 'Write');
    await alice.sees('The configuration is valid.');
    expect(await alice.exit).toBe(0);
    expect(alice.shown()).toContain(
      '\nhttps://discord.com/oauth2/authorize?client_id=1000000000000000001&scope=bot+applications.commands&permissions=309237894144\r\n',
    );
    expect(machine.files()).toEqual(['.env', 'policy.yaml']);
    expect([machine.mode('.env'), machine.mode('policy.yaml')]).toEqual(['600', '644']);
    expect(machine.text('.env')).toBe(`# Written by panelops setup. The tokens are in it: keep it to yourself.
# .env.example lists every other variable, with what it is for.

DISCORD_TOKEN=${canaries.discord}
DISCORD_GUILD_ID=1100000000000000001
AUDIT_CHANNEL_ID=1300000000000000002
PANEL_URL=${panel.url}
PANEL_TOKEN=${canaries.panel}
`);
    expect(machine.text('policy.yaml')).toBe(writtenPolicy);

    const bot = run({ DISCORD_API_URL: discord.apiUrl }, { cwd: machine.cwd });
    onTestFinished(() => void bot.child.kill('SIGKILL'));
    expect(await bot.ready()).toMatchObject({ discord: discord.apiUrl });
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
