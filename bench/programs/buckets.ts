export type Taken = ReturnType<ReturnType<typeof bucket>>;

/** So many in so many ms, as Discord writes it in headers. */
function bucket(name: string, most: number, ms: number) {
  let spell = { ends: 0, used: 0 };
  return (): { refused: boolean; headers: Record<string, string>; after: number } => {
    const now = Date.now();
    if (now >= spell.ends) spell = { ends: now + ms, used: 0 };
    const after = (spell.ends - now) / 1000;
    const refused = spell.used >= most;
    if (!refused) spell.used += 1;
    const headers = {
      'x-ratelimit-bucket': name,
      'x-ratelimit-limit': String(most),
      'x-ratelimit-remaining': String(most - spell.used),
      'x-ratelimit-reset': String(spell.ends / 1000),
      'x-ratelimit-reset-after': String(after),
      ...(refused ? { 'retry-after': String(Math.ceil(after)), 'x-ratelimit-scope': 'user' } : {}),
    };
    return { refused, headers, after };
  };
}

/** Discord's limit of posts, and of edits, in one channel. */
export function createBuckets() {
  const buckets = new Map<string, ReturnType<typeof bucket>>();
  return (name: string) => {
    const one = buckets.get(name) ?? bucket(name, 5, 5_000);
    buckets.set(name, one);
    return one();
  };
}
