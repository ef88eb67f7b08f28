import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { words } from '../helpers/card-text.ts';
import { labelsOf } from '../helpers/messages.ts';
import { plain } from '../helpers/person.ts';
import { worldForAll } from '../helpers/world.ts';

// What is refused once is tried again after a minute: nothing here may wait for that.
const world = worldForAll({ audit: true, still: true, intervals: { cards: { retry: 60_000 } } });

/** A thread below #ops, as an incident has it. */
async function thread(title: string): Promise<string> {
  await world.alice.types(`/incident start title:${title}`);
  return world.discord.threads().at(-1)?.id ?? expect.fail('no thread');
}

const isClosed = (id: string): boolean | undefined => world.discord.threads().find((each) => each.id === id)?.archived;
const seen = (message: SeenMessage | undefined): string =>
  message === undefined ? '' : plain(world.discord.viewMessage('alice', message)).replaceAll(/\bentry \d+/g, 'entry N');
const inThread = (id: string): SeenMessage[] => world.discord.messages('alice', id);
/** The card of the command that was typed there. */
const cardIn = (id: string, command: string): SeenMessage =>
  inThread(id).find(({ content, replyTo }) => content.includes(command) && replyTo === undefined) ??
  expect.fail('no card');
const refusedEdits = (): number =>
  world.discord.requests.filter(({ method, status }) => method === 'PATCH' && status === 400).length;
const kinds = (): string[] => world.ledger().map(({ kind, outcome }) => outcome ?? kind);

describe('in a closed thread', () => {
  it('a confirmed change is said in a reply, which opens the thread, and on its card', async () => {
    const id = await thread('net');
    await world.alice.types('/traffic add server:web-1 month:5 amount:500', id);
    world.discord.closeThread('alice', id);
    expect(await world.alice.clicks('Confirm')).toMatch(/^panelops: SUCCEEDED \/traffic add/m);
    expect(labelsOf(cardIn(id, '/traffic add'))).toEqual([]);
    expect(isClosed(id)).toBe(false);
    const reply = inThread(id).at(-1);
    expect(reply?.pinged).toEqual([]);
    expect(seen(reply)).toShow(
      'SUCCEEDED /traffic add · web-1 (101, production)',
      '500 GB of traffic added to web-1 (101) for billing period 5.',
      'Its card could not be changed while this thread was closed. This message opened the thread.',
    );
  });

  it('a turned page is shown in private, and the thread stays closed', async () => {
    const id = await thread('pages');
    await world.alice.types('/hypervisors groups results:1', id);
    world.discord.closeThread('alice', id);
    expect(await world.alice.clicks('Next')).toShow(
      'Hypervisor groups',
      '**2** `Amsterdam`: enabled',
      'The thread is closed: only you see this.',
      '(only alice sees this)',
    );
    expect(isClosed(id)).toBe(true);
  });

  it('a card whose first line is still true waits until somebody opens the thread, and is drawn at once then', async () => {
    const id = await thread('undo');
    await world.alice.types('/firewall disable server:web-2,web-3 reason:x', id);
    await world.alice.clicks('Confirm');
    world.discord.closeThread('alice', id);
    expect(cardIn(id, '/firewall disable').buttons.map(({ label }) => label)).toEqual([
      'Undo: enable firewall of 2 servers',
      'Details',
    ]);
    const [before, refused] = [inThread(id).length, refusedEdits()];
    await world.alice.types('/firewall enable server:web-3');
    await world.discord.until(() => refusedEdits() > refused);
    expect([isClosed(id), inThread(id).length]).toEqual([true, before]);
    world.discord.openThread('alice', id);
    await world.discord.until(() =>
      cardIn(id, '/firewall disable').buttons.some(({ label }) => label === 'Undo: enable firewall of web-2'),
    );
  });
});

describe('in a locked thread', () => {
  it('a confirmed change is said in the audit channel, to whoever clicked, and on its card once that is open', async () => {
    const id = await thread('locked');
    await world.alice.types('/firewall flush server:web-1 reason:x', id);
    world.discord.closeThread('alice', id, { lock: true });
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /firewall flush · web-1 (101, production)',
      'Primary interface: all rules were removed.',
      'The thread is closed: its card shows this once somebody opens the thread.',
      '📎 web-1-primary-rules-before.txt (506 bytes)',
      '(only alice sees this)',
    );
    expect(kinds().at(-1)).toBe('succeeded');
    const said = () => world.discord.messages('alice', 'audit').filter(({ embeds }) => embeds.length > 0);
    await world.discord.until(() => said().length > 0);
    expect(said()).toHaveLength(1);
    expect(seen(said()[0])).toShow(
      'SUCCEEDED /firewall flush · web-1 (101, production)',
      'Primary interface: all rules were removed.',
      'The channel or thread of its card is deleted, locked or hidden from the bot: so it is said here.',
    );
    expect(isClosed(id)).toBe(true);
    world.discord.openThread('alice', id);
    await world.discord.until(() => words(cardIn(id, '/firewall flush').content).startsWith('SUCCEEDED'));
    expect(said()).toHaveLength(1);
  });
});
