// Draws the pictures of docs/cards.md again.
import { startVitest } from 'vitest/node';

process.env.PICTURES = '1';
const vitest = await startVitest('test', ['test/system/browser/cards'], { mode: 'deep', watch: false });
await vitest.exit();
