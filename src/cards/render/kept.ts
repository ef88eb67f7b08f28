import { type Card, type CardFile, count, type Markup, shortName, trusted } from '../../card.ts';
import type { Kind } from '../../runs/entry.ts';
import { type Kept, ruleLines } from '../../runs/kept.ts';
import type { RunState } from '../../runs/state.ts';
import { typedName } from '../../view/words.ts';
import type { Known } from './parts.ts';

/** A run before which rules were read that it removes, or may have. */
interface Removed {
  intent: Kind<'intent'>;
  kept: Kept;
}

/** Not if the panel said no, or nothing was sent. Nobody takes back a file when somebody says that it did not happen. */
const gone: readonly string[] = ['succeeded', 'accepted', 'unknown'];

const removedBy = ({ states }: Known): Removed[] =>
  states.flatMap(({ intent, outcome }: RunState): Removed[] => {
    const kept = intent?.kept;
    if (intent === undefined || kept === undefined || kept.count === 0) return [];
    return outcome === undefined || gone.includes(outcome.outcome) ? [{ intent, kept }] : [];
  });

/** With the removed rules in a file. It comes from the ledger alone, so every edit of the card has the same one. */
export function withKept(card: Card, known: Known): Card {
  const all = removedBy(known);
  const [first] = all;
  if (first === undefined) return card;
  const file = fileOf(known, all);
  return {
    ...card,
    body: [...card.body, noteOf(all, file !== undefined)],
    ...(file === undefined ? {} : { files: [file] }),
  };
}

function noteOf(all: readonly Removed[], isFile: boolean): Markup {
  const rules = count(
    all.reduce((sum, { kept }) => sum + kept.count, 0),
    'rule',
  );
  const isWhole = all.every(({ kept }) => kept.rules !== undefined);
  if (isWhole) return trusted(`In the file: the ${rules} from before.`);
  return trusted(
    isFile
      ? `In the file: what could be kept of the ${rules} from before. The rest was too large.`
      : `The ${rules} from before were too large to keep.`,
  );
}

const plain = (name: string): string => name.replaceAll(/[^\w.-]+/g, '-');

function fileOf(known: Known, all: readonly Removed[]): CardFile | undefined {
  const [first] = all;
  const [only] = known.servers;
  if (first === undefined || all.every(({ kept }) => kept.rules === undefined)) return undefined;
  const of = known.servers.length === 1 && only !== undefined ? shortName(only) : `${known.servers.length}-servers`;
  const text = all.map(textOf).join('\n');
  return {
    name: plain(`${of}-${first.kept.interface}-rules-before.txt`),
    type: 'text/plain; charset=utf-8',
    // A plain byte array: a Buffer has its own form in JSON.
    bytes: new Uint8Array(Buffer.from(text)),
    description: `The rules from before ${typedName(known.command)}`,
  };
}

function textOf({ intent, kept }: Removed): string {
  const { command, run, server, time } = intent;
  const where = server === undefined ? '' : `${shortName(server)} (${server.id}), `;
  return [
    `${where}${kept.interface} interface: ${count(kept.count, 'rule')} right before ${typedName(command)}`,
    `${time}, run ${run}, SHA-256 ${kept.sha256}`,
    '',
    ...(kept.rules === undefined ? ['Too large to keep.'] : ruleLines(kept.rules)),
    '',
  ].join('\n');
}
