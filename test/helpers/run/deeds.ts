import { isOfRun, type RunEntry } from '../../../src/runs/entry.ts';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { isLabelled } from '../card-text.ts';
import { idOf, labelsOf, runOf, submits, textOf, until } from '../messages.ts';
import { changePolicy } from '../policy/in-force.ts';
import type { World } from '../world.ts';

/** What people do where several of them decide, and what the ledger has of it. `world`: the one of this test. */
export function deedsIn(world: () => World) {
  const cards = (who = 'alice'): SeenMessage[] => world().discord.messages(who, 'ops');
  const runs = (): RunEntry[] => world().app.entries().filter(isOfRun);
  const has = (one: SeenMessage, label: string): boolean => one.buttons.some((each) => isLabelled(each, label));
  const isAbout = (one: SeenMessage, card: SeenMessage): boolean => textOf(one).includes(`run ${runOf(card)}`);
  /** The card, or the message that pinged about it: whichever has the button. */
  const pressedOn = (card: SeenMessage, label: string): SeenMessage | Promise<SeenMessage> =>
    card.ephemeral === true
      ? card
      : world().discord.until(() => cards().findLast((one) => isAbout(one, card) && has(one, label)));
  return {
    cards,
    runs,
    /** The kinds of its entries, in order. */
    kindsWithout: (...others: RunEntry['kind'][]): string[] =>
      runs().flatMap(({ kind }) => (others.includes(kind) ? [] : [kind])),
    click: async (who: string, card: SeenMessage, label: string): Promise<unknown> => {
      const message = await pressedOn(card, label);
      return world().discord.click(who, message.id, idOf(message, label));
    },
    submit: async (who: string, card: SeenMessage, label: string, text: string): Promise<void> =>
      submits(world(), await pressedOn(card, label), label, text, who),
    cardWith: (label: string): Promise<SeenMessage> =>
      world().discord.until(() => cards().findLast((one) => has(one, label))),
    /** The message that pinged people, once it has the button; and the card that it is about. */
    callWith: (label: string): Promise<SeenMessage> =>
      world().discord.until(() => cards().findLast((one) => one.pinged.length > 0 && has(one, label))),
    cardOf: (call: SeenMessage): SeenMessage => {
      const card = cards().find((one) => one.pinged.length === 0 && isAbout(one, call));
      if (card === undefined) throw new Error(`no card of: ${textOf(call)}`);
      return card;
    },
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
