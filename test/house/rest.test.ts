import { expect, it } from 'vitest';
import { sources } from '../helpers/house.ts';

it('Every REST client of Discord is made where its limits are met: any other would sleep on a 429', () => {
  const making = sources('src').filter(({ text }) => /\bnew REST\(/.test(text));
  expect(making.map(({ path }) => path)).toEqual(['src/discord/rest.ts']);
});
