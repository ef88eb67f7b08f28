import { dirname } from 'node:path';

/** The sandbox's stored state is unusable; `file` is DATA_DIR/sandbox/…, `problem` a clause. */
export class SandboxUnreadable extends Error {
  constructor(file: string, problem: string) {
    const folder = dirname(dirname(file));
    super(
      `${file}: ${problem}. The sandbox's Discord and panel go with the ledger beside them: ` +
        `to start the sandbox fresh, delete the folder ${folder}, or set another DATA_DIR.`,
    );
    this.name = 'SandboxUnreadable';
  }
}
