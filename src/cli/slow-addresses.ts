import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * Node gives each address of a host 250 ms before it tries the next one as well, and drops what answers later: where the
 * first is dead and the others are far, nothing connects. Holds for Discord, the panel, Redis and traces alike.
 */
export const waitForSlowAddresses = (): void => setDefaultAutoSelectFamilyAttemptTimeout(2_000);
