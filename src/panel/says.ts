import { isRecord } from '../json.ts';

/** What an answer with a status of success says of itself: that it is one, that it is not, or only something in words. */
export type Claim = 'yes' | 'no' | 'words' | undefined;

type Fields = Readonly<Record<string, unknown>>;

/** Names as they are written in code: `errorMessage` and `error-message` are `error_message`. */
const nameOf = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();

const failures =
  /(?:^|_)(?:err(?:or)?s?(?:no|code|msg|message)?|ret(?:urn)?_?code|exceptions?|fail|failed|failures?|faults?|problems?)(?:_|$)/;
const flags = /^(?:is_|was_)?(?:success|successful|succeeded|ok|okay)$/;
const results = /^(?:result|data|response)$/;
const states = /^(?:status|state|result|outcome|type|level|severity|code)(?:_text)?$/;
const numbers = /^(?:(?:http_?)?(?:status|code)(?:_?code)?)$/;
const words = /(?:^|_)(?:msgs?|messages?)$|^(?:details?|warnings?|notice|alert|reason|cause)$/;
/** Said of the request itself, such as `queued: false`. */
const deeds =
  /^(?:status|state|outcome|done|queued|accepted|applied|processed|valid|allowed|authori[sz]ed|authenticated)$/;

const isNo = (value: unknown): boolean => /^(?:false|0|no|-\d+)$/i.test(String(value));
const isYes = (value: unknown): boolean => /^(?:true|1|yes|ok|success)$/i.test(String(value));
const badState =
  /^(?:errors?|err|fail(?:ed|ure)?|exception|fatal|critical|danger|denied|rejected|refused|forbidden|blocked|invalid|aborted|cancell?ed|suspended|locked|expired|timeout|ko|nok|(?:not|bad)[\W_].+|un(?:authori[sz]ed|authenticated|available|known|processable.*|successful))$/i;
const goodState = /^(?:ok|okay|success|successful|succeeded|queued|pending|processing)$/i;
const badWords =
  /\b(?:not|no|nothing|never|cannot|\w+n['’]t|unable|unavailable|unknown|unauthori[sz]ed|unauthenticated|unsuccessful\w*|fail\w*|errors?|denied|refused|rejected|suspended|locked|forbidden|invalid|expired|exceeded|too many|maintenance)\b/i;
const goodWords =
  /\b(?:ok|okay|success|successful|successfully|succeeded|done|accepted|added|applied|assigned|changed|complete|completed|created|deleted|enabled|finished|flushed|processed|queued|removed|running|saved|scheduled|started|throttled|updated|whitelisted)\b|^firewall (?:has been |was )?disabled\b/i;
/** What makes a yes a condition or a half. */
const hedges =
  /\b(?:although|before|blocked|busy|but|cancell?ed|down|except|first|however|if|ignored|insufficient|limit|must|needs?|offline|only|partial\w*|quota|required?|should|skipped|some|unless|until|warnings?|when|while)\b/i;
const noTrouble = /\b(?:no|without|without\sany) (?:errors?|failures?|problems?|warnings?)\b/gi;
const isSentence = (text: string): boolean => /\p{L}[\s_]+\p{L}/u.test(text);
const isWord = (text: string): boolean => /^\s*\p{L}+[.!]?\s*$/u.test(text);

/** Enough of a text to know what it says: one of megabytes would hold up the bot. */
const mostRead = 1_000;

/** What a sentence says: the bot cannot know of most. */
export function claimOfText(text: string): Claim {
  const start = text.trim().slice(0, mostRead).replaceAll('_', ' ').replace(noTrouble, 'success');
  if (start === '') return undefined;
  if (badWords.test(start)) return 'no';
  return goodWords.test(start) && !hedges.test(start) ? 'yes' : 'words';
}

/** What a JSON value says anywhere: `success: false`, `status: "failed"`, words. A no outweighs a yes, a yes words. */
export function claimOf(body: unknown): Claim {
  if (typeof body === 'string') return claimOfText(body);
  if (Array.isArray(body)) return worst(body.map(claimOf));
  if (!isRecord(body)) return undefined;
  return worst([claimOfFields(body, true), ...Object.entries(body).map(([key, value]) => aside(nameOf(key), value))]);
}

/** Whether the answer to a read says no beside its data. What is in the data is what was asked for. */
export const saysNo = (body: unknown): boolean => isRecord(body) && claimOfFields(body, false) === 'no';

const claimOfFields = (body: Fields, within: boolean): Claim =>
  worst(
    Object.entries(body).flatMap(([key, value]) => [
      claimOfField(nameOf(key), value),
      within && typeof value === 'object' ? claimOfPart(value) : undefined,
    ]),
  );

/** What a member of the outermost object says, whatever its name: what describes the server is in `data`. */
function aside(name: string, value: unknown): Claim {
  if (deeds.test(name) && value !== 0 && isNo(value)) return 'no';
  if (badState.test(name) && isYes(value)) return 'no';
  if (numbers.test(name) && /^(?:[13-9]\d\d|\d{4,})$/.test(String(value))) return 'words';
  if (name === 'status' && String(value) === '0') return 'words';
  if (failures.test(name) || flags.test(name)) return undefined;
  return worst([value].flat().map((each) => (typeof each === 'string' ? claimOfAny(each) : undefined)));
}

/** Of a text that may as well be a name, an address, a link or the id of a request. */
function claimOfAny(text: string): Claim {
  if (isSentence(text)) return claimOfText(text);
  return isWord(text) && claimOfText(text) === 'no' ? 'no' : undefined;
}

/** Of lists within, only their records: their texts are addresses and names. */
const claimOfPart = (value: unknown): Claim =>
  Array.isArray(value)
    ? worst(value.filter(isRecord).map((each) => claimOfFields(each, true)))
    : isRecord(value)
      ? claimOfFields(value, true)
      : undefined;

function claimOfField(name: string, value: unknown): Claim {
  if (failures.test(name)) return isSomething(value) ? 'no' : value === false ? 'yes' : undefined;
  if (flags.test(name))
    return isYes(value) ? 'yes' : (!isNo(value) && typeof value === 'string' && claimOfText(value)) || 'no';
  if (numbers.test(name) && /^(?:-\d+|[45]\d\d)$/.test(String(value))) return 'no';
  if (results.test(name) && isNo(value)) return 'no';
  const state = states.test(name) ? claimOfState(String(value).trim()) : undefined;
  if (state !== undefined) return state;
  if (words.test(name) || (results.test(name) && typeof value === 'string'))
    return worst(textsIn(value).map(claimOfText));
  return undefined;
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

const claimOfState = (state: string): Claim =>
  badState.test(state) ? 'no' : goodState.test(state) ? 'yes' : undefined;

const isSomething = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isSomething)
    : !/^(?:|0|false|no|none|null|undefined)$/i.test(String(value ?? '').trim());

const worst = (claims: readonly Claim[]): Claim =>
  (['no', 'yes', 'words'] as const).find((each) => claims.includes(each));

/** The members that hold sentences, the most telling first. */
const telling = [
  'errors',
  'msg',
  'message',
  'error',
  'exception',
  'messages',
  'detail',
  'details',
  'error_msg',
  'error_message',
  'error_description',
  'faultstring',
  'fault',
  'reason',
  'description',
  'title',
  'warning',
  'warnings',
  'data',
  'result',
  'results',
  'response',
  'status',
];
/** What a JSON value says in sentences; those of the first member that has any. */
export function sentencesIn(body: unknown): string[] {
  if (typeof body === 'string') return body.trim() === '' ? [] : [body];
  if (Array.isArray(body)) return body.flatMap(sentencesIn);
  if (!isRecord(body)) return [];
  const { errors } = body;
  if (isRecord(errors)) {
    const byField = Object.entries(errors).flatMap(([field, said]) =>
      sentencesIn(said).map((sentence) => `${field}: ${sentence}`),
    );
    if (byField.length > 0) return byField;
  }
  return telling.map((key) => sentencesIn(body[key])).find((said) => said.length > 0) ?? [];
}
