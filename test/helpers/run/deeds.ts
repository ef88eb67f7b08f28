import { isOfRun, type RunEntry } from '../../../src/runs/entry.ts';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { isLabelled } from '../card-text.ts';
import { idOf, labelsOf, messageOf, submits, textOf, until } from '../messages.ts';
import { changePolicy } from '../policy/in-force.ts';
import type { World } from '../world.ts';

/** What people do where several of them decide, and what the ledger has of it. `world`: the one of this test. */
export function deedsIn(world: () => World) {
  const cards = (who = 'alice'): SeenMessage[] => world().discord.messages(who, 'ops');
  const runs = (): RunEntry[] => world().app.entries().filter(isOfRun);
  return {
    cards,
    runs,
    /** The kinds of its entries, in order. */
    kindsWithout: (...others: RunEntry['kind'][]): string[] =>
      runs().flatMap(({ kind }) => (others.includes(kind) ? [] : [kind])),
    click: (who: string, card: SeenMessage, label: string): Promise<unknown> =>
      world().discord.click(who, card.id, idOf(messageOf(world(), card.id), label)),
    submit: (who: string, card: SeenMessage, label: string, text: string): Promise<void> =>
      submits(world(), card, label, text, who),
    cardWith: (label: string): Promise<SeenMessage> =>
      world().discord.until(() => cards().findLast(({ buttons }) => buttons.some((each) => isLabelled(each, label)))),
    /** The private answer to somebody who was denied, once the denial is on record. */
    async denialOf(who: string, label: string): Promise<SeenMessage> {
      await until(() => runs().some(({ kind }) => kind === 'denied'), 'the denial');
      return world().discord.until(() =>
        cards(who).findLast((one) => one.ephemeral === true && labelsOf(one).includes(label)),
      );
    },
    /** The message that pinged people, once it has these words. */
    pingWith: (words: string): Promise<SeenMessage> =>
      world().discord.until(() => cards().find((one) => one.pinged.length > 0 && textOf(one).includes(words))),
    changeTo: (policy: string): string[] => changePolicy(world(), policy),
  };
}
