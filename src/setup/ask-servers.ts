import type { Policy } from '../policy/schema.ts';
import { isServerName } from '../policy/server.ts';
import type { Ask } from './ask.ts';
import type { PolicyDraft } from './draft.ts';

type Servers = Exclude<PolicyDraft['servers'], string>;

/** Asks which servers have names, and what may be done to the others. `text`: `servers` of the existing policy. */
export async function askServers(
  ask: Ask,
  before: Policy | undefined,
  text: string | undefined,
): Promise<Pick<PolicyDraft, 'servers' | 'unlisted'>> {
  const known = before?.servers.length ?? 0;
  const how = await ask.one<'keep' | 'none' | 'list'>('Servers by name, for people to type and to see on each card:', [
    ...(known === 0 ? [] : [{ value: 'keep' as const, label: `Keep those of the policy (${known})` }]),
    { value: 'none', label: 'None', hint: 'people type ids' },
    { value: 'list', label: 'A few now', hint: 'more can be added to policy.yaml' },
  ]);
  const listed = how === 'list' ? await askList(ask) : [];
  const servers = how === 'keep' && text !== undefined ? text : listed;
  const isListed = servers.length > 0;
  const unlisted = await ask.one<PolicyDraft['unlisted']>(
    isListed ? 'What may be done to servers that are not listed?' : 'What may be done to servers, by their id?',
    [
      { value: 'nothing', label: 'Nothing', ...(isListed ? {} : { hint: 'until servers are listed in policy.yaml' }) },
      { value: 'read', label: 'Reads', hint: 'by the roles that may read' },
      { value: 'all', label: 'All that the roles allow' },
    ],
    ['nothing', 'read', 'all'].indexOf(before?.unlisted ?? (isListed ? 'nothing' : 'all')),
  );
  return { servers, unlisted };
}

async function askList(ask: Ask): Promise<Servers> {
  const servers: { id: number; name: string }[] = [];
  for (;;) {
    const line = await ask.text({
      message: `A server as its id in the panel and a name${servers.length === 0 ? '' : '; nothing to end the list'}`,
      example: '101 web-1',
      rule: (text) => (text === '' && servers.length > 0 ? undefined : serverRule(text, servers)),
    });
    if (line === '') return servers;
    servers.push(serverOf(line));
  }
}

const form = /^([1-9]\d{0,14})\s+(\S+)$/;

function serverOf(line: string): Servers[number] {
  const [, id, name = ''] = form.exec(line) ?? [];
  return { id: Number(id), name };
}

function serverRule(line: string, servers: Servers): string | undefined {
  const { id, name } = serverOf(line);
  if (name === '') return 'Type an id and a name with a space between them, such as 101 web-1.';
  if (!isServerName(name)) return 'A name has letters, digits, dots and dashes, and is no number.';
  if (servers.some((each) => each.id === id)) return 'This id is in the list already.';
  if (servers.some((each) => each.name.toLowerCase() === name.toLowerCase()))
    return 'This name is in the list already.';
  return undefined;
}
