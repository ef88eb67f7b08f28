/**
 * Normalizes the base URL to `https://host/api/v1` from any form in use: a bare host, `https://host`, `https://host/`,
 * or the full URL. A bare host gets https, a bare loopback host http. `problem` states the rule and never repeats the
 * input.
 */
export function normalizePanelUrl(text: string): { url: string } | { problem: string } {
  if (/[\s\\\p{Cc}]/u.test(text)) return { problem: 'must not contain spaces, line breaks or backslashes' };
  if (text.includes('@')) return { problem: 'must not contain a user name or password' };
  if (/[?#]/.test(text)) return { problem: 'must not contain a query (?) or a fragment (#)' };
  const [, scheme, host] = /^(?:([a-z][a-z0-9+.-]*):\/\/|(?!.*:\/\/))([^/]+)/i.exec(text) ?? [];
  if (host === undefined) return { problem: 'must name a host, such as https://panel.example.com' };
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return { problem: 'must begin with https://' };
  const url = parse(scheme === undefined ? `https://${text}` : text);
  if (url === undefined) return { problem: 'must be a URL, such as https://panel.example.com' };
  if (scheme === undefined && isLoopback(url.href)) url.protocol = 'http:';
  if (url.protocol === 'http:' && !isLoopback(url.href)) {
    return { problem: 'must use https: plain http is only for a panel on this machine (127.0.0.1, localhost)' };
  }
  const path = url.pathname.replace(/\/$/, '');
  if (!/^(?:(?:\/[^/]+)*\/api\/v1)?$/.test(path)) return { problem: 'must end in /api/v1, or have no path' };
  return { url: `${url.origin}${path === '' ? '/api/v1' : path}` };
}

/** Whether a URL's host is this machine: 127.0.0.0/8, localhost or [::1]. */
export function isLoopback(url: string): boolean {
  const host = parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
