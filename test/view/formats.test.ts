import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLine, verify } from '../../src/ledger/chain.ts';
import type { Entry, NewRunEntry } from '../../src/runs/entry.ts';
import { csv, header } from '../../src/view/csv.ts';
import { fileOf, jsonl, markdown } from '../../src/view/file.ts';
import { type Format, formats } from '../../src/view/formats.ts';
import { readMarkdown } from '../helpers/discord/markdown.ts';
import { chain, ledgers, shuffled } from '../helpers/record/entries.ts';
import { parseCsv } from '../helpers/record/scene.ts';

const actor = { id: '1400000000000000002', name: 'bob', roles: ['1200000000000000002'] };
const boot: NewRunEntry = {
  run: 'abc.1',
  kind: 'outcome',
  actor,
  command: 'power.boot',
  options: { server: '101', reason: 'it was off' },
  server: { id: 101, name: 'web-1', tier: 'production' },
  place: { guild: '1100000000000000001', channel: '1300000000000000001', message: '1500000000000000009' },
  outcome: 'accepted',
};

const hashOf = async (entries: readonly Entry[], format: Format): Promise<string | undefined> =>
  (await fileOf(entries, format))?.sha256;

const whole = (pieces: Iterable<string>): string => [...pieces].join('');

describe('a file of entries', () => {
  it('is the same, byte for byte, for the same entries, however they lie in memory', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (entries) => {
        for (const format of formats) {
          const sha256 = await hashOf(entries, format);
          expect(await hashOf(shuffled(entries), format)).toBe(sha256);
          expect(await hashOf(JSON.parse(JSON.stringify(entries)), format)).toBe(sha256);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('has a name that its entries give it, their count, their span and the hash of its bytes', async () => {
    const file = await fileOf(chain([boot, { ...boot, run: 'abd.1' }]).slice(1), 'csv');
    expect(file).toMatchObject({ name: 'panelops-2026-11-20-2-2.csv', type: 'text/csv', count: 1, first: { seq: 2 } });
    expect(file?.sha256).toBe(
      createHash('sha256')
        .update(file?.bytes ?? '')
        .digest('hex'),
    );
    expect((await fileOf(chain([boot, boot]), 'md'))?.name).toBe('panelops-2026-11-20-1-2.md');
  });

  it('names a server as each run knew it, also where two have swapped their names since', () => {
    const swapped = { ...boot, run: 'abd.1', server: { id: 101, name: 'web-2' } };
    const text = whole(markdown(chain([boot, swapped]), () => undefined));
    expect([...text.matchAll(/server:web-\d/g)].map(String)).toEqual(['server:web-1', 'server:web-2']);
  });

  it('is none without entries', async () => {
    for (const format of formats) expect(await fileOf([], format)).toBeUndefined();
  });

  it('says the same in another time zone and language', async () => {
    const entries = chain([boot]);
    const before = await Promise.all(formats.map((format) => hashOf(entries, format)));
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Auckland';
    const there = await Promise.all(formats.map((format) => hashOf(entries, format)));
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(there).toEqual(before);
  });
});

describe('as jsonl', () => {
  it('whole, it is a chain that verifies; of a part, each line does by itself', () => {
    fc.assert(
      fc.property(ledgers, fc.nat({ max: 11 }), (entries, at) => {
        const lines = whole(jsonl(entries)).split('\n').slice(0, -1);
        expect(verify(lines)).toEqual({ ok: true, count: entries.length, head: entries.at(-1)?.hash });
        const one = entries[Math.min(at, entries.length - 1)];
        if (one === undefined) throw new Error('there is an entry');
        expect(whole(jsonl([one]))).toBe(`${toLine(one)}\n`);
        expect(verify([whole(jsonl([one])).trimEnd()], undefined, { seq: one.seq - 1, hash: one.prev }).ok).toBe(true);
      }),
    );
  });
});

/** Without the apostrophes that keep spreadsheets from running what follows. */
const bare = (text: string): string => text.replaceAll(/'+(?=[=+\-@＝＋－＠])/g, '');

describe('as csv', () => {
  it('has a row of the same columns for each entry, whatever is in it, and no cell that a spreadsheet runs', () => {
    fc.assert(
      fc.property(ledgers, (entries) => {
        const [first, ...rows] = parseCsv(whole(csv(entries)));
        expect(first).toEqual(header);
        expect(rows.map((row) => row.length)).toEqual(entries.map(() => header.length));
        const at = (row: string[], name: string): string => row[header.indexOf(name)] ?? '';
        expect(rows.map((row) => [at(row, 'seq'), at(row, 'time'), at(row, 'hash'), at(row, 'kind')])).toEqual(
          entries.map(({ seq, time, hash, kind }) => [String(seq), time, hash, kind]),
        );
        // Where a semicolon or a tab parts cells.
        for (const cell of whole(csv(entries)).split(/[;\t\r\n]/))
          expect(cell).not.toMatch(/^[\s\u200b\ufeff"]*[=+\-@＝＋－＠]/);
        for (const cell of rows.flat()) expect(cell).not.toMatch(/^[\s\u200b\ufeff]*[=+\-@＝＋－＠]|^[\t\r]/);
        for (const [i, row] of rows.entries()) {
          const name = bare(entries[i]?.actor.name ?? '');
          expect([name, `'${name}`]).toContain(bare(at(row, 'actor')));
        }
      }),
    );
  });

  it('loses nothing: what has no column is in the last', () => {
    fc.assert(
      fc.property(ledgers, (entries) => {
        const rows = parseCsv(whole(csv(entries))).slice(1);
        for (const [i, row] of rows.entries()) {
          const entry = entries[i];
          const rest = bare(row.at(-1) ?? '');
          if (entry?.kind === 'started') expect(rest).toBe(bare(JSON.stringify({ owner: entry.owner })));
          if (entry?.kind === 'incident' && entry.step !== 'opened')
            expect(rest).toBe(bare(JSON.stringify(entry.note ? { note: entry.note } : { look: entry.look })));
        }
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['  =1', "'  =1"],
    ['\u00a0\t -1', "'\u00a0\t '-1"],
    ['\ufeff=1', "'\ufeff=1"],
    ['\u200b@x', "'\u200b@x"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['\tplain', "'\tplain"],
    ['looked;=HYPERLINK("http://x")', `looked;'=HYPERLINK("http://x")`],
    ['a; \u200b"-1;\t+2', `a; \u200b"'-1;\t'+2`],
    ['a\t@x', "a\t'@x"],
    ['a\n＝1', "a\n'＝1"],
    ['a;b=1; c\t-', "a;b=1; c\t'-"],
    ['1-1=0', '1-1=0'],
    ['a\r\nb "c", d', 'a\r\nb "c", d'],
    ['a\nb', 'a\nb'],
    ['a\rb', 'a\rb'],
  ])('writes %j as %j', (said, cell) => {
    const [row] = parseCsv(whole(csv(chain([{ ...boot, said }])))).slice(1);
    expect(row?.[header.indexOf('said')]).toBe(cell);
  });

  it('is as it was', () => {
    expect(whole(csv(chain([boot])))).toBe(
      [
        'seq,time,kind,run,command,server_id,server,tier,actor_id,actor,roles,outcome,reason,said,detail,options,facts,step,end,by,happened,why,incident,title,finding,guild,channel,message,prev,hash,rest',
        `1,2026-11-20T08:00:00.000Z,outcome,abc.1,power.boot,101,web-1,production,1400000000000000002,bob,"[""1200000000000000002""]",accepted,,,,"{""server"":""101"",""reason"":""it was off""}",,,,,,,,,,1100000000000000001,1300000000000000001,1500000000000000009,${'0'.repeat(64)},${chain([boot])[0]?.hash},`,
        '',
      ].join('\r\n'),
    );
  });
});

describe('as Markdown', () => {
  it('says of a reminder that nobody got that it was dropped', () => {
    const { message: _, ...place } = boot.place;
    const reminder = {
      ...boot,
      kind: 'reminded' as const,
      options: {},
      actor: { id: '0', name: 'panelops', roles: [] },
    };
    const text = whole(markdown(chain([boot, { ...reminder, place }, reminder]), () => undefined));
    expect(text).toMatch(/no\. 2 \*\*REMINDER DROPPED\*\*.*\n {2}- It was undone by then\.\n/);
    expect(text).toMatch(/no\. 3 \*\*REMINDED\*\*.*\n {2}- Message `1500000000000000009`\.\n/);
  });

  it('has options as they are typed, and servers by name', () => {
    const options = { server: '101,102', reason: 'disk is "gone"', disks: '0' };
    const text = whole(markdown(chain([{ ...boot, options }]), () => undefined));
    expect(text).toContain('Options: `server:web-1,102 disks:0 reason:"disk is \\"gone\\""`.');
  });

  it('shows text from outside as code alone, each entry under its number', () => {
    fc.assert(
      fc.property(ledgers, (entries) => {
        const text = whole(markdown(entries, () => undefined));
        const { outside } = readMarkdown(text);
        expect(outside).not.toMatch(/[|<>]/);
        const numbers = [...text.matchAll(/^- \*\*2026-11-20 08:00:\d\d UTC\*\* no\. (\d+) \*\*/gm)].map(([, no]) =>
          Number(no),
        );
        expect(numbers).toEqual(entries.map(({ seq }) => seq));
        // Nothing else begins a line.
        expect(text.split('\n').filter((each) => !/^(?:#{1,2} [RE]|- | {2}- |$)/.test(each))).toEqual([]);
      }),
    );
  });
});
