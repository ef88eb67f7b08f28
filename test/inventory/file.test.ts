import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { policyFor } from '../../src/app.ts';
import { serversOf } from '../../src/policy/server.ts';
import { atOnce } from '../../src/walk.ts';

const roles = (servers = '') => `roles: [{ role: "1200000000000000003", name: lead, allow: ["*"]${servers} }]\n`;
const source = 'inventory: { source: file, path: servers.csv }\n';

function read(csv: string | undefined, policy = `${roles()}${source}`) {
  const folder = folderWith((path) => csv !== undefined && writeFileSync(path, csv));
  return policyFor(policy, undefined, folder);
}

function folderWith(make: (path: string) => unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'panelops-inventory-'));
  make(join(folder, 'servers.csv'));
  return folder;
}

function servers(csv: string, policy?: string) {
  const found = read(csv, policy);
  return 'policy' in found ? atOnce(serversOf(found.policy)) : found.problems;
}

function wrong(csv: string | undefined, policy?: string): string[] {
  const found = read(csv, policy);
  return 'problems' in found ? found.problems.map(({ place, rule }) => `${place}: ${rule}`) : [];
}

describe('servers from a CSV file', () => {
  it('are read as a spreadsheet writes them: quotes, empty cells, Windows line ends, columns in any order', () => {
    expect(
      servers(
        '\uFEFFName,id,ips,tier,group\r\nweb-1,101,"192.0.2.101, 2001:db8::1",production,1\r\n\r\nlab-1,201,,,\r\n',
        `${roles()}${source}tiers: [{ match: ["lab-*"], tier: staging }]\n`,
      ),
    ).toEqual([
      { id: 101, name: 'web-1', tier: 'production', group: 1, ips: ['192.0.2.101', '2001:db8::1'] },
      { id: 201, name: 'lab-1', tier: 'staging' },
    ]);
  });

  it('take over what a row of the policy says, which may have no name of its own, and come before other rows', () => {
    const rows = `servers:
  - { id: 202, tier: staging, ips: ["192.0.2.2"] }
  - { id: 301, name: far-1, tier: staging }
  - { id: 201, name: bench-1 }
`;
    expect(servers('id,name,tier,ips\n201,lab-1,production,\n202,lab-2,,192.0.2.1\n', roles() + source + rows)).toEqual(
      [
        { id: 201, name: 'bench-1', tier: 'production', ips: [] },
        { id: 202, name: 'lab-2', tier: 'staging', ips: ['192.0.2.1', '192.0.2.2'] },
        { id: 301, name: 'far-1', tier: 'staging' },
      ],
    );
  });

  it('count as listed: globs and names of roles may mean them', () => {
    const policy = (name: string) => `${roles(`, servers: ["${name}"]`)}${source}`;
    expect(wrong('id,name\n101,web-1\n', policy('web-*'))).toEqual([]);
    expect(wrong('id,name\n101,web-1\n', policy('db-*'))).toEqual([
      'roles[0].servers[0] (line 1): No server under `servers` has this name or fits this glob. Globs mean names; ids are written 101 or 100-199.',
    ]);
  });

  it('have a problem for each line that is wrong, and never a value of it', () => {
    const csv = [
      'id,name,tier,group,ips',
      '101,web-1,,,192.0.2.1',
      'hunter2,web-2,,,',
      '103,hunter2!,,,',
      '104,,,,',
      '105,web-5,,first,',
      '106,web-6,,,192.0.2.0/24',
      '107,web-7,,,,',
      '101,web-8,,,',
      '109,WEB-1,,,',
      '110,web-10,,,::ffff:192.0.2.1',
    ];
    expect(wrong(`${csv.join('\n')}\n`)).toEqual([
      "servers.csv (line 3): id: The server's id in the panel: a whole number from 1.",
      'servers.csv (line 4): name: A name of 1 to 63 letters, digits, dots and dashes, beginning with a letter or digit, and not only digits or an id range.',
      'servers.csv (line 5): name: Missing. A name of 1 to 63 letters, digits, dots and dashes, beginning with a letter or digit, and not only digits or an id range.',
      "servers.csv (line 6): group: The id of the server's hypervisor group: a whole number from 1.",
      'servers.csv (line 7): ips: A list of IPv4 or IPv6 addresses without prefix length or zone (%eth0).',
      'servers.csv (line 8): There are more cells than columns.',
      'servers.csv (line 9): Line 2 has this id already.',
      'servers.csv (line 10): Line 2 has this name already.',
      'servers.csv (line 11): Line 2 has this address already.',
    ]);
  });

  it.each([
    [undefined, /^servers\.csv: There is no such file: .*servers\.csv \(ENOENT\)\.$/],
    ['', 'servers.csv (line 1): The first line names the columns: id and name must be among them.'],
    ['id,nmae\n1,a\n', /^servers\.csv \(line 1\): Column 2 is unknown\. The nearest is name\./],
    ['id,name,id\n1,a,2\n', 'servers.csv (line 1): Column 3 is there already.'],
    ['id,name\n1,"a\n', 'servers.csv (line 2): Not valid CSV. Look at quotes: "" inside of "…".'],
  ])('refuse %j', (csv, rule) => {
    expect(wrong(csv)[0]).toEqual(typeof rule === 'string' ? rule : expect.stringMatching(rule));
  });

  it.each<[string, (path: string) => unknown, RegExp]>([
    ['a folder', (path) => mkdirSync(path), /^This is a folder, not a file: .*\(EISDIR\)\.$/],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), /^This is not a regular file, but a pipe or a device: /],
    ['a link to nothing', (path) => symlinkSync('elsewhere.csv', path), /^There is no such file: .*\(ENOENT\)\.$/],
    ['a link to itself', (path) => symlinkSync('servers.csv', path), /^This file cannot be read: .*\(ELOOP\)\.$/],
    [
      'UTF-16',
      (path) => writeFileSync(path, 'id,name\n1,a\n', 'utf16le'),
      /^Line 1 of this file is not UTF-8, but UTF-16/,
    ],
    [
      'larger than any list',
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 64 * 1024 * 1024 + 1);
      },
      /^This file is larger than 64 MiB: /,
    ],
    [
      'still being written',
      (path) => writeFileSync(path, 'id,name\n1,web-1\n2,we'),
      /^The last line does not end, as in a file that is still being written\. End it with a line break\.$/,
    ],
  ])('refuse %s with a sentence, and take nothing of it', (_, make, rule) => {
    const found = policyFor(`${roles()}${source}`, undefined, folderWith(make));
    expect(found).toEqual({ problems: [{ place: 'servers.csv', rule: expect.stringMatching(rule) }] });
  });

  it('are followed where the path is a link', () => {
    const folder = folderWith((path) => {
      writeFileSync(`${path}.1`, 'id,name\n101,web-1\n');
      symlinkSync('servers.csv.1', path);
    });
    expect(policyFor(`${roles()}${source}`, undefined, folder)).toHaveProperty('policy');
  });

  it.each([
    ['{ id: 9 }', 'Missing. A name of 1 to 63 letters'],
    ['{ id: 9, name: Web-1 }', 'The inventory has another server with this name or address. Choose another.'],
    ['{ id: 9, name: b, ips: ["192.0.2.1"] }', 'The inventory has another server with this name or address.'],
  ])('leave %s of the policy no other server’s name or address', (row, rule) => {
    expect(wrong('id,name,ips\n101,web-1,192.0.2.1\n', `${roles()}${source}servers: [${row}]`)[0]).toContain(rule);
  });
});
