import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readRoot, root } from '../../helpers/house.ts';

const run = promisify(execFile);

it('npm run bench runs one group, shortened, and says what came of it', async () => {
  expect(JSON.parse(readRoot('package.json')).scripts.bench).toBe(
    'npm run --silent build && tsc -p bench && node dist/bench/bench/main.js',
  );
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', 'bench'], { cwd: root });
  const before = readRoot('bench/RESULTS.md');
  const { stdout } = await run('node', ['dist/bench/bench/main.js', '--smoke', 'click'], { cwd: root });
  expect(stdout).toMatch(
    /^\| a read, 5\/s: from the click to the final card \| ≤ 2 ms more, p99 ≤ 15 ms more \| (met|\*\*missed\*\*): -?[\d.]+ ms more/m,
  );
  // Part of the table is not the table.
  expect(readRoot('bench/RESULTS.md')).toBe(before);
  await expect(run('node', ['dist/bench/bench/main.js', 'speed'], { cwd: root })).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no such group: speed. There are: start, memory, acknowledge, click'),
  });
});
