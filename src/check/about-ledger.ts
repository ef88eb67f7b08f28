import { count, md, trusted } from '../card.ts';
import { isLeft, ok, skipped, warning, wrong } from './line.ts';
import type { Check } from './run.ts';

const ledger: Check = {
  id: 'ledger',
  title: 'Ledger',
  async run(probes) {
    const found = await probes.ledger();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { entries, unreadable, problem, unwritable, remedy, late, untried } = found;
    const entriesSaid = count(entries, 'entry', 'entries');
    if (unreadable !== undefined)
      return [
        wrong(
          md`The ledger cannot be read: ${unreadable}.`,
          trusted(remedy ?? 'Repair DATA_DIR, or restore the ledger from a copy.'),
        ),
      ];
    const lines = [
      ...(problem === undefined
        ? []
        : [
            wrong(
              md`The ledger is not as it was written: ${problem}.`,
              trusted(
                'Do not start the bot on it. docs/operations.md, "A ledger that breaks under the bot", says how to restore it.',
              ),
            ),
          ]),
      ...(unwritable === undefined
        ? []
        : [
            wrong(
              md`The ledger cannot be written: ${unwritable}.`,
              trusted(
                remedy ?? 'Free space on, or repair, the disk where it is stored. Until then, changes are refused.',
              ),
            ),
          ]),
      ...(late === true
        ? [
            warning(
              trusted('There was no time to verify the whole ledger.'),
              trusted('Use /audit verify, or panelops audit verify.'),
            ),
          ]
        : []),
    ];
    if (lines.length > 0) return lines;
    const isThere = entries === 0 ? 'There is none yet' : `It is whole, with ${entriesSaid}`;
    const canBeWritten = entries === 0 ? ', and it can be written' : ', and can be written';
    return [ok(trusted(`${isThere}${untried ? '' : canBeWritten}.`))];
  },
};

const trail: Check = {
  id: 'trail',
  title: 'Trail',
  async run(probes) {
    const audit = await probes.audit();
    if (!isLeft(audit) && audit.channel === undefined)
      return [
        warning(
          trusted('There is no audit channel, so nothing shows whether the end of the ledger was cut off.'),
          trusted('Set AUDIT_CHANNEL_ID.'),
        ),
      ];
    const found = await probes.trail();
    if (isLeft(found)) return [skipped(trusted(found.left))];
    const { messages, closed, waiting, waitingFor, isContradicted, open } = found;
    if (closed !== undefined)
      return [
        wrong(
          trusted(closed),
          trusted('Give the bot View Channel, Send Messages and Read Message History in the audit channel.'),
        ),
      ];
    const ledger = await probes.ledger();
    const isLost = isContradicted && !isLeft(ledger) && ledger.entries === 0;
    if (isLost)
      return [
        wrong(
          trusted('The audit channel has a trail, but there is no ledger here. The bot would not start.'),
          trusted('Point DATA_DIR or REDIS_URL at that ledger, or restore it from a copy: panelops audit restore.'),
        ),
      ];
    const verify = trusted('/audit verify shows it. Find out who did it, then type /audit acknowledge.');
    const lines = [
      ...(isContradicted
        ? [wrong(trusted('The audit channel has entries that are missing from the ledger, or differ there.'), verify)]
        : []),
      ...(open > 0 && !isContradicted
        ? [wrong(trusted(`${count(open, 'finding')} in the audit channel, not acknowledged.`), verify)]
        : []),
      ...(waiting > 0 && waitingFor > probes.bounds.trailMs
        ? [
            wrong(
              trusted(
                `${count(waiting, 'entry', 'entries')} of the ledger are not in the audit channel, the oldest for ${Math.floor(waitingFor / 60_000)} minutes.`,
              ),
              trusted(
                'Check that the bot is running, and its permissions in the audit channel. The bot then posts the rest.',
              ),
            ),
          ]
        : []),
    ];
    const behind = waiting === 0 ? '' : `, ${count(waiting, 'entry', 'entries')} on the way`;
    return lines.length > 0
      ? lines
      : [ok(trusted(`It agrees with the ledger: ${count(messages, 'message')} compared${behind}.`))];
  },
};

export const aboutLedger: readonly Check[] = [ledger, trail];
