import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { token } from '../../helpers/alerts.ts';
import { blocksOf } from '../../helpers/docs/documents.ts';
import { readRoot } from '../../helpers/house.ts';
import { entriesIn } from '../../helpers/ledger/reading.ts';
import { until } from '../../helpers/messages.ts';
import { freePort } from '../../helpers/redis-server.ts';
import { openStage } from '../../helpers/stage.ts';
import { describeWith, judged } from '../../helpers/tools.ts';

const posts = { method: 'POST', path: '/channels/1300000000000000001/messages' };

/** Alertmanager with the receiver of docs/alerts.md, in a folder; `say` is what Prometheus does. */
async function startAlertmanager(dir: string, bot: number) {
  const port = await freePort();
  const [config, secret] = [join(dir, 'alertmanager.yml'), join(dir, 'panelops-token')];
  const receiver = blocksOf(readRoot('docs/alerts.md')).find(({ text }) => text.includes('webhook_configs:'))?.text;
  writeFileSync(secret, token);
  writeFileSync(
    config,
    (receiver ?? '')
      .replace('https://alerts.example.com', `http://127.0.0.1:${bot}`)
      .replace('/etc/alertmanager/panelops-token', secret)
      .replace('receiver: panelops,', '$& group_wait: 10ms, group_interval: 1s, repeat_interval: 1s,'),
  );
  expect(judged('amtool', ['check-config', config])).toMatchObject({ status: 0 });
  const own = ['--cluster.listen-address=', '--storage.path', join(dir, 'store'), '--config.file', config];
  const child = spawn('prometheus-alertmanager', [...own, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/api/v2/alerts`;
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(answers, { timeout: 30_000 }).toBe(true);
  const startsAt = new Date().toISOString();
  return async (server: string, endsAt: Date): Promise<void> => {
    const labels = { alertname: 'HostDown', instance: `${server}:9100` };
    const body = JSON.stringify([{ labels, startsAt, endsAt: endsAt.toISOString() }]);
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  };
}

describeWith('prometheus-alertmanager', 'what the real Alertmanager says', () => {
  it('is lost nowhere and shown once, over kills and a Discord that refuses', { timeout: 120_000 }, async () => {
    const stage = await openStage();
    onTestFinished(() => stage.stop());
    const { discord, cwd, dir } = stage;
    const port = await freePort();
    const env = { ALERTS_PORT: String(port), ALERTS_TOKEN: `alertmanager=${token}` };
    const say = await startAlertmanager(cwd, port);
    const received = () =>
      entriesIn(dir).flatMap((entry) => (entry.kind === 'alert' && entry.step === 'received' ? entry.news : []));
    const servers = ['web-1', 'web-2', 'db-1'];
    for (const [n, server] of servers.entries()) {
      const bot = await stage.start(env);
      // It is taken to have been posted, or not.
      discord.order({ kind: n === 1 ? 'lose-request' : 'late-request', match: posts, times: 1_000 });
      await say(server, new Date(Date.now() + 3_600_000));
      await until(() => received().length > n, server, 30_000);
      await bot.end('SIGKILL');
      discord.clear();
    }
    await stage.start(env);
    const cards = (words: string) =>
      discord
        .messages('alice', 'ops')
        .filter(({ content }) => content.includes('`HostDown`') && content.includes(words));
    await until(() => cards('').length === 3, 'the cards', 60_000);
    for (const server of servers) await say(server, new Date());
    await until(() => cards('resolved').length === 3, 'their ends', 60_000);
    expect(cards('')).toHaveLength(3);
    const said = received().map(({ state, servers: [server] = [] }) => `${server?.name} ${state}`);
    expect(said.sort()).toEqual(servers.flatMap((name) => [`${name} firing`, `${name} resolved`]).sort());
  });
});
