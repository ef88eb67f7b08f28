import type { ReceiveParts } from '../alerts/receive.ts';
import type { Alerting } from '../cards/due.ts';
import type { Log } from '../outcome.ts';
import type { LivePolicy } from '../policy/live.ts';
import { firing } from '../runs/alerts.ts';
import type { AppOptions } from './options.ts';
import type { Closing, Store } from './store.ts';

interface Around extends Pick<Store, 'ledger'>, Pick<ReceiveParts, 'find' | 'now'> {
  policy: Pick<LivePolicy, 'current'>;
  log: Log;
}

/** From now on this process takes alerts, where they come in. What takes them is loaded only then. */
export async function startAlerts(
  { alerts }: Pick<AppOptions, 'alerts'>,
  { policy, ...around }: Around,
  appending: Closing,
): Promise<Pick<Alerting, 'heard'>> {
  const begun = around.now();
  let again: (of: { source: string; key: string }) => number = () => 0;
  if (alerts !== undefined) {
    const { createReceive } = await import('../alerts/receive.ts');
    const receiver = createReceive({ ...around, rules: () => policy.current().alerts, pause: alerts.pause });
    again = receiver.heard;
    alerts.take(receiver.receive);
    appending.push(receiver.close);
    if (policy.current().alerts === undefined)
      around.log.warn(
        {},
        'ALERTS_PORT is set, but the policy has no alerts: none are taken until it says where to show them',
      );
  }
  return {
    // What was said again is in no entry: a new process counts from then.
    heard: (card) => Math.max(...firing(card).map(({ news, heard }) => Math.max(heard, begun, again(news)))),
  };
}
