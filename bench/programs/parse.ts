/** Parses every line of a ledger as JSON, and does nothing else; or, with `read`, reads the files. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [dir = '', what = 'parse'] = process.argv.slice(2);
let count = 0;
for (const name of readdirSync(dir).filter((each) => /^ledger.*\.jsonl$/.test(each))) {
  const bytes = readFileSync(join(dir, name));
  if (what === 'read') continue;
  for (let from = 0; from < bytes.length; count += 1) {
    const end = bytes.indexOf(10, from);
    JSON.parse(bytes.toString('utf8', from, end));
    from = end + 1;
  }
}
process.stdout.write(`${count} in ${Math.round(performance.now())} ms\n`);
