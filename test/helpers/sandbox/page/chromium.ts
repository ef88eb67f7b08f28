import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { readRoot } from '../../house.ts';

/** The browser's path, and the environment that it needs. */
export interface Unpacked {
  path: string;
  env: Record<string, string>;
}

/** The package's browser with its own libraries and fonts. Unpacked once per version. */
export async function unpackChromium(): Promise<Unpacked> {
  const { version }: { version: string } = JSON.parse(readRoot('node_modules/@sparticuz/chromium/package.json'));
  const folder = join(tmpdir(), `panelops-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    path: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: join(folder, 'letters.conf') },
  };
}

/** Unpacked beside it, then renamed: other tests that unpack it, too, find it whole or not at all. */
async function unpackInto(folder: string): Promise<void> {
  const beside = mkdtempSync(`${folder}-`);
  const { TMPDIR, AWS_LAMBDA_JS_RUNTIME } = process.env;
  // The package unpacks to where temporary files go, and its libraries only where it takes this for the name of its usual place.
  Object.assign(process.env, { TMPDIR: beside, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  try {
    await chromium.executablePath();
  } finally {
    restore({ TMPDIR, AWS_LAMBDA_JS_RUNTIME });
  }
  writeFileSync(join(beside, 'letters.conf'), letters(folder));
  try {
    renameSync(beside, folder);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function restore(before: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** The same fonts on every machine; missing glyphs come from the machine's own. */
const letters = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/letters</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;
