import { getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { waitForSlowAddresses } from '../../src/cli/slow-addresses.ts';

it('An address of a host has two seconds to answer before the next one is tried', () => {
  const before = getDefaultAutoSelectFamilyAttemptTimeout();
  onTestFinished(() => setDefaultAutoSelectFamilyAttemptTimeout(before));
  waitForSlowAddresses();
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(2_000);
});
