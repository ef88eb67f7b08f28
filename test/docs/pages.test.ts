import { expect, it } from 'vitest';
import { readRoot } from '../helpers/house.ts';
import { commandsPage } from './commands.ts';

it('The page of commands is what `npm run docs` writes', () => {
  const isSame = readRoot('docs/commands.md') === commandsPage();
  expect(isSame ? 'up to date' : 'it is out of date: run npm run docs, and look at what it changes').toBe('up to date');
});
