import { setTimeout as delay } from 'node:timers/promises';

/**
 * A process that may no longer lead lets the one that does answer first: Discord takes one first answer, and waits for 3
 * seconds.
 */
export const successorFirst = (): Promise<void> => delay(1_000);
