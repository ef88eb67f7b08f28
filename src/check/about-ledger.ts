import { count, md, trusted } from '../card.ts';
import { isLeft, ok, warning, wrong } from './line.ts';
import type { Probes } from './probes.ts';
import { type Check, check, checkOf } from './run.ts';

const ledger = check(
  'ledger',
  'Ledger',
  'ledger',
  ({ entries, unreadable, problem, unwritable, remedy, late, untried }) => {
    if (unreadable !== undefined)
      return wrong(
        md`The ledger cannot be read: ${unreadable}.`,
        remedy ?? 'Repair DATA_DIR, or restore the ledger from a copy.',
      );
    const bad = [];
    if (problem !== undefined)
      bad.push(
        wrong(
          md`The ledger is not as it was written: ${problem}.`,
          'Do not start the bot on it. docs/operations.md, "A ledger that breaks under the bot", says how to restore it.',
        ),
      );
    if (unwritable !== undefined)
      bad.push(
        wrong(
          md`The ledger cannot be written: ${unwritable}.`,
          remedy ?? 'Free space on, or repair, the disk where it is stored. Until then, changes are refused.',
        ),
      );
    if (late === true)
      bad.push(
        warning(
          trusted('There was no time to verify the whole ledger.'),
          'Use /audit verify, or panelops audit verify.',
        ),
      );
    if (bad.length > 0) return bad;
    const isThere = entries === 0 ? 'There is none yet' : `It is whole, with ${count(entries, 'entry', 'entries')}`;
    const canBeWritten = entries === 0 ? ', and it can be written' : ', and can be written';
    return ok(trusted(`${isThere}${untried ? '' : canBeWritten}.`));
  },
);

const trail = checkOf(
  'trail',
  'Trail',
  async (probes: Probes) => {
    const audit = await probes.audit();
    return !isLeft(audit) && audit.channel === undefined ? 'none' : probes.trail();
  },
  async (found, probes) => {
    if (found === 'none')
      return warning(
        trusted('There is no audit channel, so nothing shows whether the end of the ledger was cut off.'),
        'Set AUDIT_CHANNEL_ID.',
      );
    const { messages, closed, waiting, waitingFor, isContradicted, open } = found;
    if (closed !== undefined)
      return wrong(
        trusted(closed),
        'Give the bot View Channel, Send Messages and Read Message History in the audit channel.',
      );
    const ledger = await probes.ledger();
    if (isContradicted && !isLeft(ledger) && ledger.entries === 0)
      return wrong(
        trusted('The audit channel has a trail, but there is no ledger here. The bot would not start.'),
        'Point DATA_DIR or REDIS_URL at that ledger, or restore it from a copy: panelops audit restore.',
      );
    const verify = '/audit verify shows it. Find out who did it, then type /audit acknowledge.';
    const bad = [];
    if (isContradicted)
      bad.push(
        wrong(trusted('The audit channel has entries that are missing from the ledger, or differ there.'), verify),
      );
    else if (open > 0)
      bad.push(wrong(trusted(`${count(open, 'finding')} in the audit channel, not acknowledged.`), verify));
    const late = count(waiting, 'entry', 'entries');
    if (waiting > 0 && waitingFor > probes.bounds.trailMs)
      bad.push(
        wrong(
          trusted(
            `${late} of the ledger are not in the audit channel, the oldest for ${Math.floor(waitingFor / 60_000)} minutes.`,
          ),
          'Check that the bot is running, and its permissions in the audit channel. The bot then posts the rest.',
        ),
      );
    if (bad.length > 0) return bad;
    const behind = waiting === 0 ? '' : `, ${late} on the way`;
    return ok(trusted(`It agrees with the ledger: ${count(messages, 'message')} compared${behind}.`));
  },
);

export const aboutLedger: readonly Check[] = [ledger, trail];
