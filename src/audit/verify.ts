import { oneLine } from '../card.ts';
import type { Checked, Contradiction, TrailDifference } from '../command.ts';
import { openAuditChannel } from '../discord/audit-channel.ts';
import { ChannelClosed, Limited } from '../outcome.ts';
import type { Finding } from '../runs/entry.ts';
import type { FindingState } from '../runs/findings.ts';
import { check, type StoredLedger } from '../trail/check.ts';
import { sealKeyOf } from '../trail/seals.ts';
import { isClean } from '../view/finding.ts';

export interface VerifyOptions {
  read(): Promise<StoredLedger>;
  /** The channel to compare with, and how many pages to read at most; or why there is none. */
  channel: { token: string; apiUrl?: string; id: string; pages?: number } | { left: string };
  out(text: string): void;
}

const words: Record<Finding, string> = {
  deleted: 'was deleted',
  edited: 'was edited',
  missing: 'is missing before this message',
  changed: 'was changed: it does not say what the ledger says',
  reordered: 'is not in its place',
  strange: 'is not in the ledger as it was posted: the ledger was cut off, rewritten or replaced',
  unvouched: 'settles findings, and neither the channel nor a seal of the bot vouches for it',
  ahead: 'is not in the ledger as it was posted: the ledger was cut off, rewritten or replaced',
};

/** Not a finding: Discord may return the file the next time. */
const notRead = "was not compared: Discord did not give the message's file. Try again";

const counted = (n: number): string => n.toLocaleString('en-US');

const spanOf = (from: number | undefined, to = from): string =>
  from === undefined ? '' : `#${from}${to === from ? '' : `–#${to}`} `;

const unreported = ({ finding, message, from, to }: TrailDifference): string =>
  `channel: ${spanOf(from, to)}${words[finding]} (message ${message})`;

const namedSpans = 20;

/** "channel: #30–#356 contradicts the ledger: 58 messages, the first 1500…, the last 1500… (not acknowledged)" */
function contradicting({ spans, state }: Contradiction): string[] {
  const end = state === 'acknowledged' ? 'acknowledged' : 'not acknowledged';
  const more = spans.length - namedSpans;
  return [
    ...spans.slice(0, namedSpans).map(({ first, last, messages }) => {
      const which =
        messages === 1 ? `message ${first.message}` : `the first ${first.message}, the last ${last.message}`;
      const number = messages === 1 ? '' : `${counted(messages)} messages, `;
      return `channel: ${spanOf(first.from, last.to)}contradicts the ledger: ${number}${which} (${end})`;
    }),
    ...(more > 0 ? [`channel: ${counted(more)} more ranges contradict the ledger`] : []),
  ];
}

const personOf = ({ name, id }: { name: string; id: string }): string => `${oneLine(name)} (${id})`;

/** "finding 12, 2026-11-22T14:00:00.000Z: #4–#6 was deleted by alice (1400…): acknowledged by bob (1400…), …" */
function recorded({ found, acknowledged }: FindingState): string {
  const { seq, time, finding, from, to, actor, unsaid } = found;
  const isDeed = (finding === 'deleted' || finding === 'edited') && unsaid !== true;
  const which = from === undefined ? 'something in the channel ' : spanOf(from, to);
  const what = `${which}${finding === 'missing' ? 'is missing' : words[finding]}${isDeed ? ` by ${personOf(actor)}` : ''}`;
  const end =
    acknowledged === undefined
      ? 'not acknowledged'
      : `acknowledged by ${personOf(acknowledged.actor)}, ${acknowledged.time}, entry ${acknowledged.seq}: ${oneLine(acknowledged.why)}`;
  return `finding ${seq}, ${time}: ${what}: ${end}`;
}

const sizeOf = ({ seq, hash }: Checked['head']): string =>
  `${counted(seq)} ${seq === 1 ? 'entry' : 'entries'}, head ${hash}`;

function report(checked: Checked, left: string | undefined): { lines: string[]; clean: boolean } {
  const { head, problem, channel, findings } = checked;
  const { contradiction, strange = [], unread = [] } = channel ?? {};
  const clean = isClean(checked);
  return {
    clean,
    lines: [
      ...(clean ? [`ok: ${sizeOf(head)}`] : []),
      ...(problem === undefined ? [] : [problem.words]),
      ...(contradiction === undefined ? [] : contradicting(contradiction)),
      ...strange.map(unreported),
      ...findings.map(recorded),
      ...(clean || problem !== undefined || head.seq === 0 ? [] : [`the ledger itself is whole: ${sizeOf(head)}`]),
      ...(problem === undefined || head.seq === 0
        ? []
        : [head.seq === 1 ? 'entry 1 stands' : `entries 1 to ${counted(head.seq)} stand`]),
      ...(channel === undefined ? [] : [`channel: ${counted(channel.messages)} messages were compared`]),
      ...(channel?.part === true ? ['channel: incomplete: the oldest messages were not compared'] : []),
      ...unread.map(({ message, from, to }) => `channel: ${spanOf(from, to)}${notRead} (message ${message})`),
      ...(channel === undefined || channel.waiting === 0
        ? []
        : [
            `channel: not there yet: the last ${channel.waiting === 1 ? 'entry' : `${counted(channel.waiting)} entries`}`,
          ]),
      ...(left === undefined ? [] : [`channel: not compared: ${left}`]),
    ],
  };
}

const refused = 'it is gone, or the bot may not read it. Give the bot View Channel and Read Message History there.';

/** Prints a line for each finding. Returns the exit code: 0 if all is intact, and every finding acknowledged. */
export async function verify({ read, channel, out }: VerifyOptions): Promise<number> {
  const found = 'left' in channel ? { checked: await check(read), left: channel.left } : await compared(read, channel);
  const { lines, clean } = report(found.checked, found.left);
  out(`${lines.join('\n')}\n`);
  return clean && !('failed' in found) ? 0 : 1;
}

async function compared(
  read: VerifyOptions['read'],
  { id, pages, ...discord }: Exclude<VerifyOptions['channel'], { left: string }>,
) {
  const channel = { ...openAuditChannel({ ...discord, channel: id }), sealKey: sealKeyOf(discord.token) };
  try {
    return { checked: await check(read, channel, pages), left: undefined };
  } catch (error) {
    const left = error instanceof ChannelClosed ? refused : problemOf(error);
    if (left === undefined) throw error;
    return { checked: await check(read), left, failed: true };
  }
}

/** A network or API error of Discord; undefined for any other. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof Limited) return error.message;
  if (!(error instanceof Error)) return undefined;
  const known = ['DiscordAPIError', 'HTTPError', 'TypeError', 'AbortError', 'ZodError'];
  const is = known.some((name) => error.name.startsWith(name));
  return is ? `Discord did not answer as it should (${error.name}). Try again.` : undefined;
}
