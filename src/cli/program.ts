import { Command, CommanderError, Option } from 'commander';
import type { Flags } from '../config.ts';
import type { Ask } from '../terminal/protocol.ts';
import { formats } from '../view/formats.ts';
import { exitCodes, type Host } from './host.ts';

/** Where the commands run, and what receives their exit codes. */
interface Around {
  host: Host;
  ended(code: number): void;
}

/**
 * Runs the command line (without node and script). Resolves with the command's exit code, or 78 for invalid arguments;
 * rejects with a fault, of which `stopOf` knows the words and the code. Loads only the requested command.
 */
export async function runProgram(args: readonly string[], version: string, host: Host): Promise<number> {
  let code = 0;
  const around: Around = {
    host,
    ended(ends) {
      code = ends;
    },
  };
  const program = new Command('panelops')
    .description('A Discord bot with which on-call engineers run a virtual-server hosting platform.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void host.stderr.write(text),
      outputError: (text, write) => write(withoutValues(text)),
    });
  addStart(program, host);
  addSetup(program, around);
  addSandbox(program, host);
  addCheck(program, around);
  addRegister(program, around);
  addPolicy(program, host);
  addAudit(program, around);
  addShell(program, around);
  try {
    await program.parseAsync(withCommand(args), { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : exitCodes.configuration;
  }
}

/** Without a command, or with an option first, the bot starts. */
function withCommand(args: readonly string[]): string[] {
  const [first = '-'] = args;
  const isOfProgram = ['-h', '--help', '-V', '--version'].includes(first);
  return first.startsWith('-') && !isOfProgram ? ['start', ...args] : [...args];
}

interface StartOptions extends Flags {
  check?: boolean;
}

function addStart(program: Command, host: Host): void {
  program
    .command('start')
    .description('start the bot (default)')
    .option('--quiet', 'print nothing but the ready line, and do not read the terminal')
    .option('--new-ledger', 'begin a ledger although the audit channel has the trail of another')
    .option('--check', 'check the configuration without any network, and exit')
    .action(async ({ check, ...flags }: StartOptions) => {
      const { checkConfiguration, start } = await import('./start.ts');
      return check ? checkConfiguration(host, flags) : start(host, flags);
    });
}

function addSetup(program: Command, { host, ended }: Around): void {
  program
    .command('setup')
    .description('ask for tokens, roles and channels, try them, and write .env and policy.yaml')
    .action(async () => ended(await (await import('./setup.ts')).runSetup(host)));
}

function addSandbox(program: Command, host: Host): void {
  program
    .command('sandbox')
    .description("run the sandbox's Discord and panel without a bot, to try setup on them; prints their tokens")
    .action(async () => (await import('./sandbox.ts')).serveSandbox(host));
}

function addCheck(program: Command, { host, ended }: Around): void {
  program
    .command('check')
    .description(
      'look at everything the bot needs, beside the running bot or without one; exits with 1 if anything is wrong',
    )
    .action(async () => ended(await (await import('./check.ts')).checkAll(host)));
}

function addRegister(program: Command, { host, ended }: Around): void {
  program
    .command('register')
    .description('register the slash commands once, and say what that changed: for REGISTER=off')
    .action(async () => ended(await (await import('./register.ts')).runRegister(host)));
}

function addPolicy(program: Command, host: Host): void {
  program
    .command('policy')
    .description('print who may what: each role, command and tier, by the decisions of /can')
    .argument('[file]', 'the policy; left out, that of the bot')
    .option('--csv', 'a row for each, for a spreadsheet')
    .action(async (file: string | undefined, how) => (await import('./policy.ts')).printPolicy(host, file, how));
}

function addAudit(program: Command, { host, ended }: Around): void {
  const audit = program
    .command('audit')
    .description('read the ledger beside the running bot, and keep copies of it')
    .helpCommand(false);
  audit
    .command('verify')
    .description('check the whole chain and compare it with the audit channel; exits with 1 if anything is wrong')
    .action(async () => ended(await (await import('./audit.ts')).verifyLedger(host)));
  audit
    .command('export')
    .description('write what is recorded, as /audit export does')
    .addOption(new Option('--format <format>', 'form of the file').choices(formats).default('jsonl'))
    .option(
      '--since <time>',
      'from then on: 2h or 3d ago, 22:00, 2026-11-19, or 2026-11-19 22:00, in the time zone of the policy',
    )
    .option('--until <time>', 'until then, in the same form')
    .option('--server <server>', 'of this server alone: its name or id')
    .option('--incident <id>', 'of this incident alone: the id of its thread')
    .option('--out <file>', 'a new file, instead of standard output')
    .action(async (options) => ended(await (await import('./audit.ts')).exportTo(host, options)));
  audit
    .command('backup')
    .description('write a copy of the whole ledger, also while the bot runs; never over a file that is there')
    .requiredOption('--out <file>', 'a new file; or a folder, for a file that is named after the time')
    .action(async (options) => ended(await (await import('./audit.ts')).backUpTo(host, options)));
  audit
    .command('restore')
    .description('put a copy where there is no ledger, while no bot runs')
    .requiredOption('--from <file>', 'the copy')
    .action(async (options) => ended(await (await import('./audit.ts')).restoreFrom(host, options)));
}

const asJson = '--json';
const jsonMeaning = 'print each card as JSON, a line each; for reads';

/** What the running bot does for somebody at its machine. */
function addShell(program: Command, { host, ended }: Around): void {
  const inBot = async (...asked: [Ask, { json?: boolean }]): Promise<void> =>
    ended(await (await import('./do.ts')).runInBot(host, ...asked));
  program
    .command('do')
    .description("have the running bot do a command, as in Discord: do 'server show server:web-1'")
    .argument('<line>', 'the command and its options')
    .option('--reason <text>', 'why: the same as the option reason')
    .option('--dry-run', 'say what it would ask and send, and do nothing')
    .option(asJson, jsonMeaning)
    .action((line: string, { json = false, ...how }: { reason?: string; dryRun?: true; json?: boolean }) =>
      inBot({ what: 'do', line, ...how }, { json }),
    );
  program
    .command('status')
    .description('say what is open: running, unknown, frozen, waiting')
    .option(asJson, jsonMeaning)
    .action((how: { json?: boolean }) => inBot({ what: 'status' }, how));
  for (const what of ['approve', 'cancel'] as const)
    program
      .command(what)
      .description(`${what} a question, wherever it was asked`)
      .argument('<run>', 'the run on its card')
      .action((run: string) => inBot({ what, run }, {}));
}

/** Removes arguments from an error, because they may hold secrets. Keeps words that look like ours. */
const withoutValues = (text: string): string =>
  text.replace(/'([^']*)'/g, (quoted, word: string) => {
    const [name = ''] = word.split('=');
    if (!/^-{0,2}[a-z-]{1,24}(?: <[a-z]+>)?$/.test(name)) return "'…'";
    return name === word ? quoted : `'${name}=…'`;
  });
