import { type Certificate, createCertificate } from './certificate.ts';
import { createFaults, type Fault, type Faults } from './faults.ts';
import type { Listener } from './listener.ts';
import type { Timers } from './timers.ts';

/** Accepts fault orders: faults of requests wait for their request, faults of connections happen at once. */
export interface Injector {
  faults: Faults;
  /** Returns messages by key if the fault is impossible. */
  order(fault: Fault): Record<string, string[]> | undefined;
  /** Cancels one fault; resolves when connections that it refused are accepted again. */
  cancel(fault: Fault): Promise<void>;
  /** Cancels all faults; resolves when connections are accepted again. */
  clear(): Promise<void>;
}

/** Starts without faults. */
export function createInjector(listener: Listener, certificate: Certificate | undefined, timers: Timers): Injector {
  const faults = createFaults();
  return {
    faults,
    order(fault) {
      if (fault.kind === 'wrong-certificate') {
        if (!certificate) return { kind: ['This panel has no certificate: start it with tls.'] };
        listener.present(createCertificate('another CA'));
      }
      if (fault.kind === 'refuse') listener.refuse();
      if (fault.kind === 'refuse' && fault.ms !== undefined) {
        timers.later(fault.ms, () => {
          faults.drop(fault);
          return listener.listen();
        });
      }
      faults.add(fault);
      return undefined;
    },
    async cancel(fault) {
      faults.drop(fault);
      if (fault.kind === 'refuse') await listener.listen();
    },
    async clear() {
      const isDisguised = faults.list().some(({ kind }) => kind === 'wrong-certificate');
      faults.clear();
      if (certificate && isDisguised) listener.present(certificate);
      await listener.listen();
    },
  };
}
