import { openCardFile } from '../cards/file-store.ts';
import type { CardStore } from '../cards/record.ts';
import { openFileLedger } from '../ledger/file-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../outcome.ts';
import type { AppOptions } from './options.ts';

/** What to close, in reverse order. */
export type Closing = (() => Promise<unknown>)[];

export interface Store {
  ledger: Ledger;
  cardStore: CardStore;
}

/** The clock in the ledger's form. */
export const dated = (now: (() => number) | undefined): { now?: () => Date } =>
  now === undefined ? {} : { now: () => new Date(now()) };

interface FileOptions extends StoreOptions, Pick<AppOptions, 'dataDir' | 'onTaken'> {}

export interface StoreOptions {
  log: Log;
  now?: (() => number) | undefined;
}

/** The lock gives this process the folder alone, so every other process that wrote there is dead. */
export async function inFiles({ dataDir, log, now, onTaken }: FileOptions, closing: Closing): Promise<Store> {
  const ledger = await openFileLedger({
    dir: dataDir,
    log,
    ...dated(now),
    ...(onTaken === undefined ? {} : { onTaken: ({ message }) => onTaken(message) }),
  });
  closing.push(() => ledger.close());
  const cards = await openCardFile(dataDir, log, ledger.head().seq);
  closing.push(() => cards.close());
  return { ledger, cardStore: cards };
}
