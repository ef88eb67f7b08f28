// In place of the native canvas: what a processor does that lacks its instructions.
process.kill(process.pid, 'SIGILL');
