// Draws nothing: does with each chart what its title says.
const deeds = {
  dies: () => process.kill(process.pid, 'SIGILL'),
  aborts: () => process.abort(),
  exits: () => process.exit(3),
  hangs: () => undefined,
  refuses: () => process.send({ problem: 'Error: Cannot find native binding.' }),
  babbles: () => process.send('what?'),
  draws: () => process.send({ bytes: Buffer.from(String(process.pid)) }),
};
process.on('message', ({ title }) => deeds[title]());
process.once('disconnect', () => process.exit(0));
