import { resolve } from 'node:path';
import { panelChecks } from '../check/about-panel.ts';
import { textOf } from '../check/line.ts';
import { usualBounds } from '../check/probes.ts';
import { readCertificates } from '../config/file.ts';
import { readPanelUrl, readToken, readValue } from '../config/value.ts';
import type { PanelFound } from '../panel/probe.ts';
import { isLoopback, normalizePanelUrl } from '../panel/url.ts';
import { ask, askToken, judge, ruleOf, Stopped, type TokenField, typeToken } from './ask.ts';

export interface PanelAnswers {
  url: string;
  token: string;
  caFile?: string;
  /** Why the panel does not work yet, if somebody went on anyway. */
  trouble?: string;
}

/** Asks the panel; `ca` is PEM. */
export type ProbePanel = (place: { url: string; token: string; ca?: string }) => Promise<PanelFound>;

interface PanelBefore extends Pick<TokenField, 'isTyped'> {
  url: string | undefined;
  token: string | undefined;
  caFile: string | undefined;
  /** The base of relative paths. */
  cwd: string;
}

/** Asks for the panel and its token, and tries them with a real read; for a CA, where the certificate is not trusted. */
export async function askPanel(probe: ProbePanel, before: PanelBefore): Promise<PanelAnswers> {
  const field: TokenField = {
    what: "The panel's API token",
    before: before.token,
    isTyped: before.isTyped,
    read: (text) => readToken(text, 'Bearer'),
  };
  let place = await askPlace(before);
  if (before.token === undefined)
    ask.note('Create an API token in the panel, with the permissions that the bot should have and no others.');
  let token = await askToken(field);
  for (;;) {
    const { ca, ...answers } = place;
    const found = await ask.during('Asking the panel', () => probe({ url: place.url, token, ca }));
    const about = { panel: () => Promise.resolve(found), now: Date.now, bounds: usualBounds };
    const bad = await judge(panelChecks, about);
    if (found.state === 'ok') {
      ask.good(`The panel accepts the token, and a real read works. Hypervisor groups: ${found.groups ?? 0}.`);
      return { ...answers, token };
    }
    const trouble = bad.map(textOf).join(' ');
    const next = await askNext(found);
    if (next === 'stop') throw new Stopped();
    if (next === 'on') return { ...answers, token, trouble };
    if (next === 'token') token = await typeToken(field);
    if (next === 'place') place = await askPlace({ ...before, ...answers });
    if (next === 'ca') place = { url: place.url, ...(await askCa({ ...before, ...answers })) };
  }
}

type Next = 'again' | 'token' | 'place' | 'ca' | 'on' | 'stop';

async function askNext({ state }: PanelFound): Promise<Next> {
  const choices: { value: Next; label: string; hint?: string }[] = [
    { value: 'again', label: 'Try again' },
    { value: 'token', label: 'Type another token' },
    { value: 'place', label: 'Another address' },
    ...(state === 'untrusted'
      ? [{ value: 'ca' as const, label: 'A private CA signed it; I have its certificate in a file' }]
      : []),
    { value: 'on', label: 'Continue anyway', hint: 'the bot starts, but cannot use the panel until it works' },
    { value: 'stop', label: 'Stop; nothing is written' },
  ];
  const likely: Partial<Record<PanelFound['state'], Next>> = {
    unauthorized: 'token',
    untrusted: 'ca',
    'not-a-panel': 'place',
  };
  const first = choices.findIndex(({ value }) => value === likely[state]);
  return await ask.one('What now?', choices, Math.max(first, 0));
}

interface Place extends Pick<PanelAnswers, 'url' | 'caFile'> {
  ca?: string;
}

async function askPlace(before: Omit<PanelBefore, 'token' | 'isTyped'>): Promise<Place> {
  const url = await ask.text({
    message: "The panel's address",
    example: 'https://panel.example.com',
    before: before.url,
    rule: urlRule,
  });
  const normal = normalizePanelUrl(url);
  const isPlain = 'url' in normal && normal.url.startsWith('http:') && isLoopback(normal.url);
  const { caFile, cwd } = before;
  const known = isPlain || caFile === undefined ? undefined : readCertificates(resolve(cwd, caFile));
  return known === undefined || 'rule' in known ? { url } : { url, caFile, ca: known.value };
}

async function askCa({ caFile, cwd }: Pick<PanelBefore, 'caFile' | 'cwd'>): Promise<Omit<Place, 'url'>> {
  const path = await ask.text({
    message: "The file with the CA's certificate, in PEM",
    example: './ca.pem',
    before: caFile,
    rule: (text) =>
      text === '' ? 'It is empty. Type the path of the file.' : ruleOf(readCertificates(resolve(cwd, text))),
  });
  const read = readCertificates(resolve(cwd, path));
  return 'rule' in read ? await askCa({ caFile: path, cwd }) : { caFile: path, ca: read.value };
}

function urlRule(text: string): string | undefined {
  if (text === '') return 'It is empty. An address looks like https://panel.example.com.';
  if (text.toLowerCase() === 'sandbox') return 'That word stands for the sandbox. Type the address of your panel.';
  return ruleOf(readValue(text, readPanelUrl));
}
