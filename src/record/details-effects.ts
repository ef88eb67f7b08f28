import { type Markup, md, quote, trusted } from '../card.ts';
import { readEffect } from '../runs/effects.ts';

/** Shows an effect that this version does not know unchanged. */
export function effectWords(text: string): Markup {
  const effect = readEffect(text);
  switch (effect?.kind) {
    case 'firewall-off':
      return md`firewall disabled (${side(effect.interface)} interface)`;
    case 'no-rules':
      return md`firewall left without rules (${side(effect.interface)} interface)`;
    case 'down':
      return trusted('server shut down');
    case 'throttle':
      return trusted('throttle set');
    case 'whitelist':
      return md`${effect.network} on the whitelist (${side(effect.interface)} interface)`;
    case 'unapplied':
      return effect.what === 'firewall'
        ? md`firewall stored and not applied (${side(effect.interface)} interface)`
        : trusted('throttle stored and not applied');
    case undefined:
      return quote(text);
  }
}

/** Quotes any other name: a ledger could hold one. */
const side = (name: string): Markup => (name === 'primary' || name === 'secondary' ? trusted(name) : quote(name));
