import { describe, expect, it } from 'vitest';
import { type Card, quote, trusted } from '../../src/card.ts';
import { render } from '../../src/discord/render.ts';
import { checkMessage } from '../../src/sandbox/discord/validate/index.ts';
import { readMarkdown } from '../helpers/discord/markdown.ts';

const card: Card = {
  state: 'succeeded',
  command: '/firewall flush',
  subject: trusted('web-1 (101, production)'),
  body: [trusted('All rules were removed.'), trusted('By <@1000000000000000001>.')],
  run: 'abc123',
};
const bodyOf = (body: Card['body']): string => {
  const payload = render({ ...card, body });
  expect(checkMessage(payload)).toBeUndefined();
  return payload.embeds[0]?.description ?? '';
};

describe('a card in Discord', () => {
  it('is its headline as text, and one embed with body and run; it pings nobody', () => {
    expect(render(card)).toEqual({
      content: 'SUCCEEDED /firewall flush · web-1 (101, production)',
      embeds: [
        {
          color: 0x23a55a,
          description: 'All rules were removed.\nBy <@1000000000000000001>.',
          footer: { text: 'run abc123' },
        },
      ],
      components: [],
      attachments: [],
      allowed_mentions: { parse: [] },
    });
  });

  it('says on every card when a side is the sandbox’s', () => {
    const { run: _, ...without } = card;
    expect(render(card, 'sandbox: nothing here is real').embeds[0]?.footer).toEqual({
      text: 'run abc123 · sandbox: nothing here is real',
    });
    expect(render(without, 'sandbox: nothing here is real').embeds[0]?.footer).toEqual({
      text: 'sandbox: nothing here is real',
    });
    expect(render(without).embeds[0]).not.toHaveProperty('footer');
  });

  it('has its buttons in rows of five, and only Confirm in red', () => {
    const labels = ['Confirm', 'Cancel', 'Share', 'Previous', 'Next', 'Ask again'] as const;
    const { components } = render({ ...card, buttons: labels.map((label) => ({ label, id: `x:${label}` })) });
    expect(components.map((row) => row.components.length)).toEqual([5, 1]);
    expect(components[0]?.components[0]).toEqual({ type: 2, style: 4, label: 'Confirm', custom_id: 'x:Confirm' });
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

  it('leaves room for both in the 6000 characters of an embed, when body and footer are as long as can be', () => {
    const payload = render({ ...card, body: [trusted('x'.repeat(4096))], run: 'r'.repeat(1000) }, 'n'.repeat(1000));
    expect(checkMessage(payload)).toBeUndefined();
    expect(payload.embeds[0]?.footer?.text).toMatch(/^run r+… \(cut: too long for Discord\)$/);
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
