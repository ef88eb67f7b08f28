// Whose undici is loaded first speaks for both, and ours does not know the form with files that discord.js sends. The bot
// loads discord.js first; in a worker that goes from test to test, it is first only here.
import 'discord.js';
import './helpers/shows.ts';
