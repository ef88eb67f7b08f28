import type { StopTools } from '../command.ts';
import { type Ledger, Refused } from '../ledger/ledger.ts';
import { isOfTier } from '../outcome.ts';

/** What /freeze and its like may do: see runs/freezes.ts. */
export const stopTools = (ledger: Pick<Ledger, 'append' | 'open'>): StopTools => ({
  async record(entry) {
    try {
      await ledger.append([entry]);
      return 'recorded';
    } catch (error) {
      if (error instanceof Refused) return { refused: error.by };
      throw error;
    }
  },
  underWay: (tier) =>
    ledger
      .open()
      .flatMap(({ intent }) =>
        intent !== undefined && (tier === undefined || (intent.server !== undefined && isOfTier(intent.server, tier)))
          ? [intent]
          : [],
      ),
});
