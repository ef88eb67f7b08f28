import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envText, valuesIn } from '../../src/setup/env-file.ts';

const variables = {
  DISCORD_TOKEN: 'a.b-c_d',
  DISCORD_GUILD_ID: '1100000000000000001',
  AUDIT_CHANNEL_ID: '1300000000000000002',
  PANEL_URL: 'https://panel.example.com',
  PANEL_TOKEN: '12|x#y',
  PANEL_CA_FILE: undefined,
};

describe('.env', () => {
  it('is written from nothing, with what holds a sign of its own in quotes', () => {
    expect(envText(undefined, variables)).toBe(`# Written by panelops setup. The tokens are in it: keep it to yourself.
# .env.example lists every other variable, with what it is for.

DISCORD_TOKEN=a.b-c_d
DISCORD_GUILD_ID=1100000000000000001
AUDIT_CHANNEL_ID=1300000000000000002
PANEL_URL=https://panel.example.com
PANEL_TOKEN='12|x#y'
`);
  });

  it('keeps every line that is not its own, and puts its values where they were', () => {
    const before = [
      '# ours',
      'LOG_LEVEL="debug" # loud',
      'export PANEL_TOKEN = old',
      'DATA_DIR=./data',
      '# AUDIT_CHANNEL_ID=',
      'PANEL_CA_FILE=./ca.pem',
      'PANEL_TOKEN=older',
    ];
    expect(envText(before.join('\n'), variables)).toBe(`# ours
LOG_LEVEL="debug" # loud
PANEL_TOKEN='12|x#y'
DATA_DIR=./data
AUDIT_CHANNEL_ID=1300000000000000002
DISCORD_TOKEN=a.b-c_d
DISCORD_GUILD_ID=1100000000000000001
PANEL_URL=https://panel.example.com
`);
  });

  it('is the same when nothing changes', () => {
    const once = envText(undefined, variables)
      ?.replace('PANEL_URL=', 'export PANEL_URL = ')
      .replace(/(DISCORD_TOKEN=)(.*)/, '$1"$2" # mine');
    expect(once).toContain('DISCORD_TOKEN="a.b-c_d" # mine');
    expect(envText(once, variables)).toBe(once);
  });

  it('is refused where no start would read it, as in a value of several lines', () => {
    for (const text of ['NOTE="a\nPANEL_URL=b\nc"\n', 'PANEL_TOKEN="a\nLOG_LEVEL=info\nc"\n']) {
      expect(valuesIn(text)).toMatchObject({ line: 1 });
      expect(envText(text, variables)).toBeUndefined();
    }
    expect(valuesIn('# PANEL_URL="\nLOG_LEVEL=info')).toEqual({ values: { LOG_LEVEL: 'info' } });
  });

  it('says to whoever reads it what was typed, whatever signs are in it', () => {
    const token = fc.stringMatching(/^[\x21-\x7e]{1,30}$/);
    fc.assert(
      fc.property(token, fc.stringMatching(/^[a-z #=$'/.]{1,20}$/), (text, path) => {
        const caFile = path.trim() || undefined;
        const written = envText(undefined, { ...variables, PANEL_TOKEN: text, PANEL_CA_FILE: caFile });
        // All three quotes, or two and a sign that ends or changes a bare value.
        if (written === undefined) return /'/.test(text) && /`/.test(text);
        const read = parseEnv(written);
        return read['PANEL_TOKEN'] === text && read['PANEL_CA_FILE'] === caFile;
      }),
    );
  });
});
