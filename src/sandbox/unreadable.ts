const fresh =
  "The sandbox's Discord and panel belong to the ledger beside them. To start the sandbox fresh, set another DATA_DIR.";

/** `path` is of no use to the sandbox; `problem` is a clause. Never says to delete anything: it may be a real ledger. */
export class SandboxUnreadable extends Error {
  constructor(path: string, problem: string, remedy = fresh) {
    super(`${path}: ${problem}. ${remedy}`);
    this.name = 'SandboxUnreadable';
  }
}
