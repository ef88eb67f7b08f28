import type { Bot } from '../discord/bot.ts';
import type { Refresh } from '../inventory/refresh.ts';
import type { Log } from '../outcome.ts';
import type { Panel } from '../panel/client.ts';
import type { LivePolicy } from '../policy/live.ts';
import type { Policy } from '../policy/schema.ts';
import type { Records } from '../runs/book.ts';
import { invocationOf } from '../runs/ids.ts';
import { changedFacts, differenceOf } from '../trail/lifecycle.ts';
import type { CardRenderer } from './cards.ts';
import type { OnCall } from './on-call.ts';
import type { TrailPart } from './trail.ts';

interface Reconfiguration {
  policy: Policy;
  /** The token of the panel; left out: it stays. */
  panelToken?: string;
}

export interface Reload {
  /** Takes it into use from this moment on, and records what is other than before, by name. Nothing is: nothing is recorded. */
  reconfigure(next: Reconfiguration): string[];
  /** Records that a configuration was wrong: the one before stays in force. A problem never has a value in it. */
  refuseConfiguration(problems: readonly string[]): void;
}

interface ReloadParts extends Pick<TrailPart, 'facts' | 'reconfigured'>, Pick<CardRenderer, 'cards'> {
  policy: LivePolicy;
  panel: Pick<Panel, 'useToken'>;
  panelToken: string;
  ledger: Pick<Records, 'following'>;
  bot: Pick<Bot, 'register'>;
  inventory: Pick<Refresh, 'now'>;
  onCall: Pick<OnCall, 'refresh'>;
  /** Says in the log what in the policy the guild does not have, and whether the panel can be used. */
  check(): Promise<unknown>;
  log: Log;
}

/** An entry stays in memory for good: the log has all problems, the ledger the first. */
const recorded = 20;

function firstOf(problems: readonly string[]): string[] {
  const more = problems.length - recorded;
  return more > 0 ? [...problems.slice(0, recorded), `… and ${more} more`] : [...problems];
}

export function createReload({ policy, panel, cards, ledger, bot, log, ...parts }: ReloadParts): Reload {
  let { panelToken } = parts;

  /** The name of the secret that changed. */
  function useToken(token = panelToken): string[] {
    if (token === panelToken) return [];
    panel.useToken(token);
    panelToken = token;
    return ['PANEL_TOKEN'];
  }

  return {
    reconfigure({ policy: next, panelToken: token }) {
      const [before, facts] = [policy.current(), parts.facts()];
      const secrets = useToken(token);
      policy.replace(next);
      void parts.inventory.now();
      void parts.onCall.refresh();
      const changed = [...secrets, ...changedFacts(facts, parts.facts())];
      if (changed.length === 0) return [];
      void parts.reconfigured({ changed, facts: parts.facts(), difference: differenceOf(before, next) });
      // Whether its job can be read is on the card.
      for (const { run } of ledger.following()) cards.mark(invocationOf(run), 'later');
      bot
        .register()
        .catch((error: unknown) => log.error({ problem: String(error) }, 'the commands are not registered'));
      void parts.check();
      return changed;
    },
    refuseConfiguration: (problems) => void parts.reconfigured({ changed: [], problems: firstOf(problems) }),
  };
}
