import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/audit/verify.ts';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { packBacklog } from '../../src/trail/backlog.ts';
import type { Message } from '../../src/trail/channel.ts';
import { compare, compareFiles } from '../../src/trail/compare.ts';
import { createPosting } from '../../src/trail/turn.ts';
import { chain } from '../helpers/record/entries.ts';
import { backlogOf, channelOf, checkedBy, filesOf, shelf } from '../helpers/trail/backlog.ts';
import {
  audit,
  begun,
  isSeamless,
  linesOf,
  ownDiscord,
  posted,
  reaches,
  several,
  startTrailProcess,
  type TrailProcess,
} from '../helpers/trail/process.ts';

const messages = `/channels/${audit}/messages`;
const utf8 = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();
const findings = ({ ledger }: TrailProcess): string[] =>
  ledger
    .entries()
    .slice()
    .flatMap((entry) => (entry.kind === 'tampered' ? [`${entry.finding} ${entry.from}-${entry.to}`] : []));

async function posting() {
  const discord = await ownDiscord();
  const poster = await backlogOf(discord, 500);
  await reaches(discord, () => 501);
  return { discord, poster };
}

describe('What `verify` says of a backlog', () => {
  it('is that it was changed where the ledger says something else', async () => {
    const { discord, poster } = await posting();
    const other = poster.ledger
      .entries()
      .slice()
      .map((entry) => (entry.seq === 8 && entry.kind === 'stopped' ? { ...entry, owner: 'another' } : entry));
    const ledger = { ...poster.ledger, entries: () => other };
    const found = await checkedBy({ ...poster, ledger }, discord);
    expect(found?.strange).toMatchObject([{ finding: 'changed', from: 1, to: 501 }]);
    expect(found?.unread).toBeUndefined();
  });

  it('is that it was changed where the file is not the one that the message names', async () => {
    const { discord, poster } = await posting();
    const { file } = channelOf(discord);
    const altered = await checkedBy(poster, discord, {
      file: async (of) => Buffer.from(utf8(await file(of)).replace('owner 7`', 'owner 8`')),
    });
    expect(altered?.strange).toMatchObject([{ finding: 'changed', from: 1, to: 501 }]);
  });

  it.each([503, 404])('is neither clean nor a finding if Discord does not return the file (%i)', async (status) => {
    const { discord, poster } = await posting();
    discord.order({ kind: 'status', status, match: { path: '/attachments/*' }, times: 2 });
    const found = await checkedBy(poster, discord);
    const [{ id = '' } = {}] = posted(discord);
    expect(found).toEqual({ messages: 1, strange: [], unread: [{ message: id, from: 1, to: 501 }], waiting: 0 });
    let said = '';
    const code = await verify({
      read: () => Promise.resolve({ entries: poster.ledger.entries(), head: poster.ledger.head() }),
      channel: { ...discord, id: audit },
      out: (text) => {
        said += text;
      },
    });
    expect(code).toBe(1);
    expect(said).toContain(
      `channel: #1–#501 was not compared: Discord did not give the message's file. Try again (message ${id})`,
    );
    expect(said).not.toMatch(/changed|ok:/);
    expect(await checkedBy(poster, discord)).toEqual({ messages: 1, strange: [], waiting: 0 });
  });
});

it('A message whose file was taken away is changed, and one of somebody else with such a file is nothing', async () => {
  const { discord, poster } = await posting();
  const [own] = await channelOf(discord).page();
  if (own === undefined) throw new Error('nothing was posted');
  const { file: _, ...bare } = own;
  expect(compare([bare], poster.ledger.entries(), 1)).toMatchObject([{ finding: 'changed', from: 1, to: 501 }]);
  const foreign = { ...own, id: '1', own: false };
  expect(compare([foreign, own], poster.ledger.entries(), 1)).toEqual([]);
  expect(compare([{ ...own, edited: true }], poster.ledger.entries(), 1)).toMatchObject([{ finding: 'changed' }]);
});

it('A backlog that somebody deletes is reported and posted again', async () => {
  const { discord, poster } = await posting();
  const [{ id = '' } = {}] = posted(discord);
  discord.deleteMessage('alice', id);
  poster.hears.deleted([id]);
  await reaches(discord, () => 502);
  expect(findings(poster)).toEqual(['deleted 1-501']);
  expect(linesOf(discord).at(-1)).toContain('TRAIL CHANGED deleted #1–#501 · Discord does not say by whom');
  expect(await checkedBy(poster, discord)).toMatchObject({ strange: [], waiting: 0 });
});

describe('A backlog as older versions posted it, without the hash of its file,', () => {
  const old = async () => {
    const { discord, poster } = await posting();
    const page = await channelOf(discord).page();
    const channel = {
      page: () =>
        Promise.resolve(
          page.map((message): Message => ({ ...message, content: message.content.replace(/\nSHA-256 .*/, '') })),
        ),
    };
    return { discord, poster, channel };
  };

  it('is compared by its lines', async () => {
    const { discord, poster, channel } = await old();
    expect(await checkedBy(poster, discord, channel)).toEqual({ messages: 1, strange: [], waiting: 0 });
  });

  it('is changed where they are others, and unknown where Discord does not give them', async () => {
    const { discord, poster, channel } = await old();
    const { file } = channelOf(discord);
    const altered = async (of: Parameters<typeof file>[0]) =>
      Buffer.from(utf8(await file(of)).replace('owner 7`', 'owner 8`'));
    const found = await checkedBy(poster, discord, { ...channel, file: altered });
    expect(found?.strange).toMatchObject([{ finding: 'changed', from: 1, to: 501 }]);
    const unread = await checkedBy(poster, discord, { ...channel, file: () => Promise.resolve(undefined) });
    expect(unread).toMatchObject({ strange: [], unread: [{ from: 1, to: 501 }] });
  });
});

it('Lines that another version of Unicode wrote otherwise are no change, and others are', async () => {
  const entries = chain([begun, ...several(100)]);
  const packed = (await packBacklog(entries)) ?? expect.fail();
  /** A message that was posted with these lines, and their hash. */
  const judged = (text: string) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const file = { name: packed.file.name, size: text.length, url: '' };
    const message = { id: '5', content: packed.text.replace(/[0-9a-f]{64}/, sha256), edited: false, own: true, file };
    expect(compare([message], entries, 1)).toEqual([]);
    return compareFiles({ file: () => Promise.resolve(Buffer.from(text)) }, [message], entries, 'doubtful');
  };
  const { text } = packed.file;
  expect(await judged(text.replace('owner 9`', 'owner\u{1fae8} 9`'))).toEqual({ found: [], unread: [] });
  expect(await judged(text.replace('owner 9`', 'owner 8`'))).toMatchObject({ found: [{ finding: 'changed' }] });
});

describe('Where Discord takes no file', () => {
  const match = { method: 'POST', path: messages, body: 'filename' };
  it.each<[string, DiscordFault]>([
    ['for want of the right', { kind: 'forbid-channel', channel: 'audit', right: 'files' }],
    [
      'because it is too large',
      { kind: 'status', status: 413, body: { code: 40005, message: 'Request entity too large' }, match },
    ],
    ['for a fault of its own', { kind: 'status', status: 500, match }],
  ])('%s, the backlog goes as lines', async (_why, fault) => {
    const discord = await ownDiscord();
    discord.order(fault);
    const poster = await backlogOf(discord, 500);
    await reaches(discord, () => 501, 30_000);
    expect(posted(discord).length).toBeGreaterThan(5);
    expect(filesOf(discord)).toEqual([]);
    expect(isSeamless(discord)).toBe(true);
    expect(await checkedBy(poster, discord)).toMatchObject({ strange: [], waiting: 0 });
    // It does not try again with each message.
    const tries = discord.requests.filter(
      ({ method, path, status }) => method === 'POST' && path === messages && status >= 400,
    );
    expect(tries).toHaveLength(1);
  });

  it('and has taken it all the same, it stands there once', async () => {
    const discord = await ownDiscord();
    discord.order({ kind: 'lose-request', by: 'close', match: { method: 'POST', path: messages, body: 'filename' } });
    const poster = await backlogOf(discord, 500);
    await reaches(discord, () => 501);
    expect(posted(discord)).toHaveLength(1);
    expect(filesOf(discord)).toHaveLength(1);
    expect(await checkedBy(poster, discord)).toMatchObject({ messages: 1, strange: [], waiting: 0 });
  });

  it('and no message either, a file is what it takes first when that is over', async () => {
    const discord = await ownDiscord();
    const away: DiscordFault = { kind: 'forbid-channel', channel: 'audit', right: 'send' };
    discord.order(away);
    const poster = await backlogOf(discord, 500);
    await expect.poll(() => poster.log.messages).toContain('the audit channel denies the bot access');
    discord.cancel(away);
    await reaches(discord, () => 501);
    expect(posted(discord)).toHaveLength(1);
    expect(filesOf(discord)).toHaveLength(1);
  });

  it('a file is tried again a minute later, with a quarter of it, and all of it once that went well', async () => {
    const entries = chain([begun, ...several(60_000)]);
    const sizes: (number | undefined)[] = [];
    let refuses = true;
    let now = 0;
    const post = createPosting(
      { entries: () => entries },
      {
        post(content, _nonce, file) {
          sizes.push(file && Math.round(file.text.length / 100_000));
          if (file !== undefined && refuses) return Promise.reject(new Error('413'));
          return Promise.resolve({ id: '5', content, edited: false, own: true });
        },
      },
      () => now,
    );
    const next = () => post(1, 60_001, 'nonce');
    await next();
    await next();
    refuses = false;
    now = 59_999;
    await next();
    now = 60_000;
    await next();
    await next();
    expect(sizes).toEqual([20, undefined, undefined, undefined, 5, 20]);
  });

  it('so is one that begins with a line that is too long for a message, at once', async () => {
    const people = Array.from({ length: 90 }, (_, at) => String(1_400_000_000_000_000_000n + BigInt(at)));
    const shift = { schedule: 'all', at: '2026-11-20T08:00:00.000Z', before: people.slice(1), after: people };
    const entries = chain([{ kind: 'shift', actor: begun.actor, ...shift }, ...several(60_000)]);
    const sizes: (number | undefined)[] = [];
    const post = createPosting(
      { entries: () => entries },
      {
        post(_content, _nonce, file) {
          sizes.push(file && Math.round(file.text.length / 100_000));
          return Promise.reject(new Error('413'));
        },
      },
    );
    for (const _ of [1, 2]) await expect(post(1, 60_001, 'nonce')).rejects.toThrow('413');
    expect(sizes).toEqual([20, 5]);
  });
});

it('A bot that starts again reads no file to know how far the trail is, and that it is as it was posted', async () => {
  const discord = await ownDiscord();
  const place = shelf();
  const first = await backlogOf(discord, 500, place);
  await reaches(discord, () => 501);
  await first.trail.close();
  await first.ledger.close();
  discord.order({ kind: 'status', status: 503, match: { path: '/attachments/*' }, times: 1_000 });
  const second = await startTrailProcess(discord, place);
  await second.append(several(1, 900));
  await reaches(discord, () => 502);
  expect(findings(second)).toEqual([]);
  expect(second.log.messages).toEqual([]);
  expect(isSeamless(discord)).toBe(true);
});

it('Of two processes that post the same backlog, the second finds the message of the first', async () => {
  const discord = await ownDiscord();
  const entries = chain([begun, ...several(500)]);
  const ledger = { entries: () => entries };
  const nonce = 'trail-1-abcdef01';
  const [one, other] = await Promise.all(
    [501, 400].map((to) => createPosting(ledger, channelOf(discord))(1, to, nonce)),
  );
  expect(one?.id).toBe(other?.id);
  expect(one?.content).toBe(other?.content);
  expect(posted(discord)).toHaveLength(1);
});
