import { describe, expect, it } from 'vitest';
import { sectionsOf } from '../../src/policy/sections.ts';

describe('the parts of a policy', () => {
  it('come with the comments right above them, as they are written', () => {
    const parts = sectionsOf(`# the file

# who
roles:
  # the first
  - { role: "1200000000000000001", name: viewer, allow: [read] }

# one block
# of addresses
limits: { ipv4.assign: 8 } # a /29
"queue-status": on
`);
    expect([...parts]).toEqual([
      ['roles', '# who\nroles:\n  # the first\n  - { role: "1200000000000000001", name: viewer, allow: [read] }\n'],
      ['limits', '# one block\n# of addresses\nlimits: { ipv4.assign: 8 } # a /29'],
      ['queue-status', '"queue-status": on\n'],
    ]);
  });

  it('come as JSON from a file in braces', () => {
    const parts = sectionsOf('{ unlisted: all, limits: { ipv4.assign: 8 } }\n');
    expect([...parts]).toEqual([
      ['unlisted', 'unlisted: "all"\n'],
      ['limits', 'limits: {"ipv4.assign":8}\n'],
    ]);
  });
});
