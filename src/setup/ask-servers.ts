import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readText } from '../config/file.ts';
import type { Found } from '../inventory/list.ts';
import type { Policy } from '../policy/schema.ts';
import type { Ask } from './ask.ts';
import type { PolicyDraft } from './draft.ts';
import { type ListServers, tryList } from './panel-list.ts';
import { serversIn } from './server-list.ts';

/**
 * Asks which servers have names. What may be done to the others is guessed: nothing, or all that the roles allow where
 * none is listed. `text`: `servers` of the existing policy.
 */
export async function askServers(
  ask: Ask,
  before: Policy | undefined,
  text: string | undefined,
  { cwd, list }: { cwd: string; list: ListServers },
): Promise<Pick<PolicyDraft, 'servers' | 'unlisted'> & { listed?: readonly Found[] }> {
  const known = before?.servers.length ?? 0;
  const how = await ask.one<'keep' | 'none' | 'list' | 'panel'>('Which servers have names? People type them.', [
    ...(known === 0 ? [] : [{ value: 'keep' as const, label: `Those of the policy (${known})` }]),
    { value: 'list', label: 'I type or paste them, or have a CSV file' },
    { value: 'panel', label: "Those of the panel's own list", hint: 'a read that VirtFusion has; tried now' },
    { value: 'none', label: 'None yet', hint: 'people type ids' },
  ]);
  if (how === 'panel') {
    const listed = await tryList(ask, list);
    if (listed === undefined) return await askServers(ask, before, text, { cwd, list });
    return { servers: text ?? [], unlisted: before?.unlisted ?? 'nothing', listed };
  }
  const servers = how === 'keep' && text !== undefined ? text : how === 'list' ? await askList(ask, cwd) : [];
  return { servers, unlisted: before?.unlisted ?? (servers.length > 0 ? 'nothing' : 'all') };
}

async function askList(ask: Ask, cwd: string): Promise<Exclude<PolicyDraft['servers'], string>> {
  const listOf = (text: string) => {
    const path = resolve(cwd, text.trim());
    if (text.includes('\n') || !existsSync(path) || !statSync(path).isFile()) return serversIn(text);
    const file = readText(path);
    return 'rule' in file ? file : serversIn(file.value);
  };
  const text = await ask.lines({
    message: "Servers: id, name, tier; or a CSV file's path.",
    example: '101 web-1 production',
    rule: (typed) => {
      const list = listOf(typed);
      return 'rule' in list ? list.rule : undefined;
    },
  });
  const list = listOf(text);
  return 'servers' in list ? list.servers : [];
}
