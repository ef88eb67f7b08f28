import { type Certificate, createCertificate } from './certificate.ts';
import { createFaults, type Fault, type Faults } from './faults.ts';
import type { Listener } from './listener.ts';
import type { Timers } from './timers.ts';

/** Where faults are ordered: those of single requests are kept for them, those of connections happen at once. */
export interface Counter {
  faults: Faults;
  /** Messages by key when it cannot be done. */
  order(fault: Fault): Record<string, string[]> | undefined;
  /** Takes one fault back; resolves when connections, if it refused them, are taken again. */
  cancel(fault: Fault): Promise<void>;
  /** Drops all faults; resolves when connections are taken again. */
  clear(): Promise<void>;
}

/** No faults yet. */
export function createCounter(listener: Listener, certificate: Certificate | undefined, timers: Timers): Counter {
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
