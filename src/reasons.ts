/** The text for one reason: the cause, and the next step. Both are whole, trusted sentences. */
interface Words {
  why: string;
  next: string;
}

const sayHow = 'Then press Say what happened. The bot will not send it again.';
const tokenOwner = "Tell whoever keeps the bot's PANEL_TOKEN.";

/** Why the panel rejected it. */
const rejections = {
  'token-refused': {
    why: "The panel did not accept the bot's token (401): it is missing, wrong or expired.",
    next: `${tokenOwner} /panel check shows when it works again.`,
  },
  'token-lacks-permission': {
    why: "The panel knows the bot's token, but it lacks the permission for this (403).",
    next: `${tokenOwner} The permission is set in the panel, at the token.`,
  },
  'not-found': {
    why: 'The panel does not know what was named, or this operation (404).',
    next: "Check what you named: the server, the group, the interface or the address. If all of it is right, the panel's release may lack the operation.",
  },
  'no-backups': {
    why: 'The panel has no backups for this server, or does not know it or the operation (404).',
    next: 'Check the server, and its backups in the panel. If it has backups, the panel may be older than 7.1.0, which has no restore.',
  },
  'vlan-not-found': {
    why: 'The panel does not know this server, interface, VLAN entry or operation (404).',
    next: "Check the interface and the entry's id: it is the id of the entry, not the VLAN number. If both are right, the panel may be older than 7.1.0.",
  },
  protected: {
    why: 'Destruction protection is on for this server (409): a restore would overwrite its disks.',
    next: 'The bot cannot remove the protection. Someone who may must remove it in the panel.',
  },
  conflict: { why: 'The panel reports a conflict (409).', next: 'Look at the server in the panel, then ask again.' },
  validation: {
    why: 'The panel refused what was sent (422).',
    next: 'If a value is wrong, type the command again with another. If the panel names something temporary, wait, then ask again.',
  },
  'tasks-pending': {
    why: 'Other tasks are pending for this server (423).',
    next: 'Wait until they are done, then ask again.',
  },
  'rate-limited': {
    why: 'The panel accepts no more requests from the bot this minute (429).',
    next: 'Wait a minute, then ask again.',
  },
  'authentication-limited': {
    why: "Too many failed authentications from the bot's address (429): the panel has locked it out for a while.",
    next: `${tokenOwner} Wait a minute, then run /panel check.`,
  },
  maintenance: {
    why: "The server's hypervisor is in maintenance (503).",
    next: 'Wait until the maintenance is over, then ask again.',
  },
  refused: { why: 'The panel refused the request.', next: 'Look at the server in the panel, then ask again.' },
  'refused-before': {
    why: 'Something in front of the panel, a proxy or firewall, refused the request: it did not reach the panel.',
    next: 'Tell whoever runs the bot: the proxy or firewall in front of the panel must let it through.',
  },
  'requests-limited': {
    why: 'Something accepts no more requests from the bot (429): the panel, or a proxy or firewall in front of it.',
    next: 'Wait a minute, then ask again.',
  },
} as const satisfies Record<string, Words>;

/** Whether the panel may say yes to the same later. The next step then says to ask again. */
export const mayPass = (reason: Reason): boolean => passing.includes(reason);
const passing: readonly Reason[] = [
  'conflict',
  'validation',
  'tasks-pending',
  'rate-limited',
  'requests-limited',
  'maintenance',
  'refused',
] satisfies Rejection[];

/** Whether the panel said no before it did anything. Of other refusals nobody knows that. */
export const isUntouched = (reason: Reason): boolean => untouched.includes(reason);
const untouched: readonly Reason[] = [
  'token-refused',
  'token-lacks-permission',
  'no-backups',
  'protected',
  'tasks-pending',
  'rate-limited',
  'requests-limited',
  'authentication-limited',
  'maintenance',
  'refused-before',
] satisfies Rejection[];

/** Why nothing left this machine. */
const holds = {
  'connection-refused': {
    why: 'The panel could not be reached: it refused the connection.',
    next: 'Ask again in a minute. If it keeps failing, tell whoever runs the bot: the panel may be down, or PANEL_URL wrong.',
  },
  'name-not-resolved': {
    why: "The panel's host name could not be resolved.",
    next: 'Ask again in a minute. If it keeps failing, tell whoever runs the bot: DNS or PANEL_URL may be wrong.',
  },
  'connect-timeout': {
    why: 'The panel could not be reached: no connection within 5 seconds.',
    next: 'Ask again in a minute. If it keeps failing, tell whoever runs the bot: the network to the panel may be down.',
  },
  'proxy-failed': {
    why: 'The panel could not be reached: the proxy in front of it opened no connection.',
    next: 'Ask again in a minute. If it keeps failing, tell whoever runs the bot: HTTPS_PROXY may be wrong, or the panel is missing from NO_PROXY.',
  },
  certificate: {
    why: "The panel's certificate was not trusted, so nothing was sent.",
    next: 'If the panel uses a private CA, set PANEL_CA_FILE. Otherwise find out what answers in its place.',
  },
  'circuit-open': {
    why: "The bot's token was refused, or its address locked out. For a minute after that, or as long as the panel said, the bot asks the panel nothing: more failures would lock it out.",
    next: `${tokenOwner} Then wait a minute and run /panel check.`,
  },
  'read-limit': { why: 'You have used your 20 reads of this minute.', next: 'Wait a moment, then ask again.' },
  'look-limit': {
    why: 'Before it asks, the bot reads the current settings, at most 40 times a minute for each person.',
    next: 'Wait a moment, then ask again.',
  },
  'kept-for-confirmed': {
    why: 'The bot has few requests to the panel left this minute, and keeps them for changes that somebody confirmed.',
    next: 'Wait a minute, then ask again.',
  },
  'waited-too-long': {
    why: 'The bot has used up the requests that the panel accepts from it per minute.',
    next: 'Wait a minute, then ask again.',
  },
} as const satisfies Record<string, Words>;

/** Why a run did not begin. */
const stops = {
  'look-failed': { why: 'Nothing was sent, because what is set now could not be read.', next: '' },
  'changed-since': {
    why: 'Nothing was sent, because what is set has changed since the question.',
    next: 'Ask again: the new question shows what is set now.',
  },
  'undone-meanwhile': {
    why: 'Nothing was sent: somebody else has undone this, or set it again, since Undo was pressed.',
    next: 'The card with that Undo says who.',
  },
  'done-meanwhile': {
    why: 'Nothing was sent: since the bot showed the button that was pressed, the same was done there, or may have been.',
    next: '/server show says by whom. To do it once more, type the command.',
  },
  'not-allowed-now': {
    why: 'Nothing was sent: the policy or a role has changed, and this is no longer allowed.',
    next: '/can says who may.',
  },
  'went-on': {
    why: 'Nothing was sent: what it continued from was approved, taken on or closed in the meantime.',
    next: 'Its card says by whom.',
  },
  'given-up': {
    why: 'Nothing was sent: this copy of the bot lost contact with the others, and one of them may have called this off.',
    next: 'Look at the card again in a minute, then ask again.',
  },
  frozen: { why: 'Nothing was sent: changes are frozen.', next: 'Wait until the freeze ends, then ask again.' },
  held: {
    why: 'Nothing was sent: somebody else holds this server.',
    next: 'Talk to them. If you may, take it over with /hold take-over:True and a reason, or end it with /release. Then ask again.',
  },
  'earlier-unknown': {
    why: 'Nothing was sent, because an earlier server of this command ended unknown.',
    next: 'Once you know how that one ended, ask again for the rest.',
  },
  'bot-restarted': { why: 'The bot was restarted, or its ledger failed, before it sent anything.', next: 'Ask again.' },
  'discord-broke': {
    why: "The connection to Discord broke at the bot's first answer, or Discord refused it. Nothing was sent.",
    next: 'Ask again.',
  },
  'bot-fault': {
    why: 'The bot failed because of a bug, before it sent anything.',
    next: 'Ask again. If that fails too, tell whoever runs the bot: its log says why.',
  },
} as const satisfies Record<string, Words>;

/** Why the outcome is unknown. `next` is for changes: a failed read changed nothing. */
const doubts = {
  timeout: { why: 'The panel did not answer in time.', next: sayHow },
  'connection-lost': { why: 'The connection broke before the answer.', next: sayHow },
  'server-error': { why: 'The panel, or a proxy in front of it, failed with a server error.', next: sayHow },
  'not-the-panel': {
    why: 'Something refused the request, but not the way the panel does: perhaps a proxy or firewall in front of it.',
    next: `${sayHow} Tell whoever runs the bot that something else answers for the panel.`,
  },
  'no-success': { why: 'The answer has a success status, but does not say that it succeeded.', next: sayHow },
  'answer-too-large': {
    why: 'The answer was larger than 5 MiB or too complex, so the bot did not read it.',
    next: sayHow,
  },
  'not-json': {
    why: 'Something answered with a page instead of data, perhaps a proxy in front of the panel.',
    next: sayHow,
  },
  'not-understood': { why: 'The panel answered in a format that the bot does not recognize.', next: sayHow },
  redirected: {
    why: 'Something answered with a redirect, which the bot does not follow.',
    next: 'Then press Say what happened, and tell whoever runs the bot to check PANEL_URL.',
  },
  'bot-stopped': { why: 'The bot stopped while the request was under way.', next: sayHow },
  'bot-failed': {
    why: 'The bot failed because of a bug while the request was under way. Its log says why.',
    next: sayHow,
  },
  'store-failed': { why: 'The disk of the bot, or its Redis, failed while the request was under way.', next: sayHow },
  'ledger-replaced': {
    why: "The bot's ledger, its record of all changes, was replaced by an older one that does not say how this ended.",
    next: sayHow,
  },
} as const satisfies Record<string, Words>;

/** Why it was never asked, or could not be. */
const refusals = {
  denied: { why: 'Not allowed.', next: 'Ask someone who may.' },
  cancelled: { why: 'Nothing was sent.', next: '' },
  expired: { why: 'Nobody confirmed in time. Nothing was sent.', next: '' },
  'server-busy': {
    why: 'Nothing was sent, because another change of this server is under way.',
    next: 'Wait until that is done, then ask again.',
  },
  'ledger-unavailable': {
    why: 'The ledger cannot be written, so changes are refused. Nothing was sent.',
    next: 'Tell whoever runs the bot: the disk of its DATA_DIR, or its Redis, may be full or broken. Reads still work.',
  },
  'card-unrecorded': {
    why: 'The bot cannot record that this is under way, so changes are refused. Nothing was sent.',
    next: 'Tell whoever runs the bot: the disk of its DATA_DIR, or its Redis, may be full or broken. Reads still work.',
  },
  'redis-unavailable': {
    why: 'Redis cannot be reached, so changes are refused. Nothing was sent.',
    next: 'Bring Redis back. Reads still work.',
  },
  'ledger-damaged': {
    why: 'The stored ledger is not as the bot wrote it, so changes are refused. Nothing was sent.',
    next: 'Type /audit export: the running bot has the true entries. Then stop it, restore the ledger from that or a copy, and start it. Until then, changes are refused.',
  },
  'trail-behind': {
    why: 'The audit channel does not have all entries of the ledger, or may not. Changes are refused; nothing was sent.',
    next: "The bot keeps posting: ask again when the audit channel has caught up. If nothing new arrives there, check Discord's status. Reads still work.",
  },
  'trail-contradicted': {
    why: 'The audit channel has entries that the ledger does not have, so changes are refused. Nothing was sent.',
    next: '/audit verify shows which. Find out who changed the ledger. Then somebody who has the right to types /audit acknowledge. Reads still work.',
  },
  'trail-closed': {
    why: 'The audit channel cannot be written, so changes are refused. Nothing was sent.',
    next: 'A guild admin can give the bot View Channel, Send Messages and Read Message History there; the bot resumes within seconds. Another channel, in AUDIT_CHANNEL_ID, needs a restart. Reads still work.',
  },
} as const satisfies Record<string, Words>;

export type Rejection = keyof typeof rejections;
export type NotSentReason = keyof typeof holds | keyof typeof stops;
export type Doubt = keyof typeof doubts;
type Refusal = keyof typeof refusals;
/** A code for every outcome except a plain yes, which keeps card and ledger consistent. */
export type Reason = Rejection | NotSentReason | Doubt | Refusal;

export const reasons: Record<Reason, Words> = { ...rejections, ...holds, ...stops, ...doubts, ...refusals };

/** The codes that a ledger may contain: never remove one that was ever written. */
export const reasonCodes = Object.keys(reasons) as readonly Reason[] as [Reason, ...Reason[]]; // The table is not empty.

/** The audit channel does not have all of the ledger yet. Nothing contradicts it. */
export const isTrailLag = (reason: Reason): boolean => reason === 'trail-behind' || reason === 'trail-closed';

/** Whether a run with this reason had no intent. If the ledger recorded the end late, it may have had one. */
export const isNeverBegun = (reason: Reason): boolean =>
  reason !== 'ledger-unavailable' && (reason in stops || reason in refusals);

/** The next step after a failed read. It changed nothing, so even "unknown" needs no follow-up check. */
export const afterRead = ({ kind, reason }: { kind: string; reason: Reason }): string =>
  kind === 'unknown'
    ? 'A read changes nothing: ask again. If it keeps failing, look at the panel itself.'
    : reasons[reason].next;

/** Whose words came with it: those of a proxy are not told as the panel's. */
export const sayerOf = (reason: Reason | undefined): string =>
  reason !== undefined && ofAnybody.includes(reason) ? 'The answer says' : 'The panel says';
const ofAnybody: readonly Reason[] = [
  'refused-before',
  'requests-limited',
  'server-error',
  'not-the-panel',
  'no-success',
  'not-understood',
];

/** Whether answers with different statuses have this reason. */
export const hasManyStatuses = (reason: Reason): boolean => ofMany.includes(reason);
const ofMany: readonly Reason[] = ['refused', 'refused-before', 'server-error', 'not-the-panel', 'no-success'];
