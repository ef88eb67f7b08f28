import { describe, expect, it } from 'vitest';
import { type Card, quote, trusted } from '../../src/card.ts';
import { isCardOfRun, render } from '../../src/discord/render.ts';
import { checkMessage } from '../../src/sandbox/discord/validate/index.ts';
import { readMarkdown } from '../helpers/discord/markdown.ts';

const card: Card = {
  state: 'succeeded',
  command: '/firewall flush',
  subject: trusted('web-1 (101, production)'),
  fact: trusted('Primary interface: **all** rules were `**removed**`.'),
  body: [trusted('Cannot be undone.')],
  next: [trusted('Look at the server.')],
  small: [trusted('Reason: `customer asked`'), trusted('By <@1000000000000000001>')],
  run: 'abc123',
};
const bodyOf = (body: Card['body']): string => {
  const payload = render({ state: 'succeeded', command: '/firewall flush', body });
  expect(checkMessage(payload)).toBeUndefined();
  return payload.embeds[0]?.description ?? '';
};

describe('a card in Discord', () => {
  it('is its headline as text, and one embed: the fact, the lines, the next step, small print; it pings nobody', () => {
    expect(render(card)).toEqual({
      content: '✓ **SUCCEEDED /firewall flush · web-1 (101, production)**',
      embeds: [
        {
          color: 0x23a55a,
          description: [
            '**Primary interface: all rules were `∗∗removed∗∗`.**',
            'Cannot be undone.',
            '→ Look at the server.',
            '-# Reason: `customer asked`',
            '-# By <@1000000000000000001> · run abc123',
          ].join('\n'),
        },
      ],
      components: [],
      attachments: [],
      allowed_mentions: { parse: [] },
    });
  });

  it('says on every card when a side is the sandbox’s', () => {
    expect(render(card, 'sandbox: nothing here is real').embeds[0]?.footer).toEqual({
      text: 'sandbox: nothing here is real',
    });
    expect(render(card).embeds[0]).not.toHaveProperty('footer');
  });

  it('is titled by what it shows, if it is a read', () => {
    const { content, embeds } = render({ ...card, title: trusted('Firewall of web-1 · primary') });
    expect([content, embeds[0]?.color]).toEqual(['≡ **Firewall of web-1 · primary**', 0x5865f2]);
  });

  it('has a mark and a colour of its own for each state', () => {
    const states = [
      ...['succeeded', 'accepted', 'rejected', 'not-sent', 'unknown', 'denied', 'invalid', 'cancelled', 'expired'],
      ...['blocked', 'unavailable', 'finished', 'failed', 'stopped', 'happened', 'did not happen'],
      ...['working', 'question', 'reminder', 'alert'],
    ] as const;
    const looks = states.map((state) => {
      const { content, embeds } = render({ ...card, state });
      expect(content).toMatch(/^[^\w\s] \*\*[A-Z]/u);
      return [content.split(' ', 1).join(), embeds[0]?.color];
    });
    expect(new Set(looks.map(([mark]) => mark)).size).toBe(states.length);
    expect(new Set(looks.map(([, colour]) => colour)).size).toBe(states.length);
  });

  it('is found again by its run, in the form of today and in that of the first release', () => {
    const { embeds } = render(card);
    const first = [{ description: 'By <@1000000000000000001>.', footer: { text: 'run abc123 · sandbox' } }];
    expect(isCardOfRun(embeds, 'abc123', '')).toBe(true);
    expect(isCardOfRun(render({ ...card, small: [] }).embeds, 'abc123', '')).toBe(true);
    expect(isCardOfRun(first, 'abc123', 'sandbox')).toBe(true);
    expect(isCardOfRun(embeds, 'c123', '')).toBe(false);
    expect(isCardOfRun(embeds, 'abc123 · reminder', '')).toBe(false);
    expect(isCardOfRun(render({ ...card, body: [trusted('run other')] }).embeds, 'other', '')).toBe(false);
  });

  it('that alerts names its subject in place of a run, and is found again by that', () => {
    const { embeds } = render({ ...card, state: 'alert', small: [], run: 'finding 12' });
    expect(embeds[0]?.description?.split('\n').at(-1)).toBe('-# finding 12');
    expect(isCardOfRun(embeds, 'finding 12', '')).toBe(true);
    expect(isCardOfRun(embeds, 'finding 1', '')).toBe(false);
    expect(isCardOfRun(embeds, '12', '')).toBe(false);
  });

  it.each(['run abc123 · review', 'abc123 · thaw'])('that alerts is found again by %s, whoever signed it', (run) => {
    const { embeds } = render({ ...card, state: 'alert', run });
    expect(embeds[0]?.description?.split('\n').at(-1)).toMatch(/^-# By .+ · /);
    expect(isCardOfRun(embeds, run, '')).toBe(true);
    expect(isCardOfRun(embeds, 'abc123', '')).toBe(false);
  });

  it('has its buttons in rows of five, and in red the one that confirms what is destructive', () => {
    const [confirm, ...others] = ['Flush web-1', 'Cancel', 'Share', 'Previous', 'Next', 'Ask again'];
    const buttons = [
      { label: confirm ?? '', id: 'x:Flush web-1', tone: 'danger' as const },
      ...others.map((label) => ({ label, id: `x:${label}` })),
    ];
    const { components } = render({ ...card, buttons });
    expect(components.map((row) => row.components.length)).toEqual([5, 1]);
    expect(components[0]?.components[0]).toEqual({
      type: 2,
      style: 4,
      label: 'Flush web-1',
      custom_id: 'x:Flush web-1',
    });
    expect(components[0]?.components[1]).toEqual({ type: 2, style: 2, label: 'Cancel', custom_id: 'x:Cancel' });
    expect(components[1]?.components[0]).toEqual({ type: 2, style: 2, label: 'Ask again', custom_id: 'x:Ask again' });
  });
});

describe('a card that is too long', () => {
  it('keeps whole lines, and says how many are left out', () => {
    const text = bodyOf(Array.from({ length: 100 }, (_, i) => trusted(`${i} ${'x'.repeat(97)}`)));
    const lines = text.split('\n');
    expect(lines.at(-1)).toBe(`(${100 - (lines.length - 1)} more lines do not fit into a card)`);
    expect(lines.slice(0, -1).every((line, i) => line.startsWith(`${i} x`))).toBe(true);
    expect(lines.length).toBeGreaterThan(35);
  });

  it('fits to the last character, and not one more', () => {
    expect(bodyOf([trusted('x'.repeat(4096))])).toBe('x'.repeat(4096));
    expect(bodyOf([trusted('x'.repeat(4097))])).toMatch(/^x{2000,}… \(cut: too long for Discord\)$/);
  });

  it('keeps its small print whole when the rest is as long as can be', () => {
    const payload = render({ ...card, body: [trusted('x'.repeat(4096))] }, 'n'.repeat(3000));
    expect(checkMessage(payload)).toBeUndefined();
    expect(payload.embeds[0]?.description).toMatch(
      /more lines do not fit into a card\)\n→ Look at the server\.\n-# Reason: `customer asked`\n-# By <@1000000000000000001> · run abc123$/,
    );
    expect(payload.embeds[0]?.footer?.text).toMatch(/^n+… \(cut: too long for Discord\)$/);
  });

  it('has labels of 80 characters at most', () => {
    const { components } = render({ ...card, buttons: [{ label: 'x'.repeat(200), id: 'x:y' }] });
    expect(components[0]?.components[0]).toMatchObject({ label: `${'x'.repeat(79)}…` });
  });

  it.each([
    ['inline code', [quote(`${'x'.repeat(5000)} https://evil.example`, 9000)]],
    ['a block of code', [trusted(`\`\`\`\n${'https://evil.example/x y\n'.repeat(300)}\n\`\`\``)]],
    ['the second of many codes', [trusted('`a` '.repeat(1500))]],
  ])('cuts %s without letting out what is in it', (_what, body) => {
    const { outside } = readMarkdown(bodyOf(body));
    expect(outside).toMatch(/^[▮ ]+… \(cut: too long for Discord\)$/);
  });

  it.each(Array.from({ length: 12 }, (_, i) => i))('cuts at any place of a code: %i', (shift) => {
    const text = bodyOf([trusted(`${'x'.repeat(shift)}${'`@everyone` '.repeat(500)}`)]);
    expect(readMarkdown(text).outside).toMatch(/^x*[▮ ]+… \(cut: too long for Discord\)$/);
  });
});
