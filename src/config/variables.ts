/** An environment variable, as .env.example describes it. */
export interface Variable {
  name: string;
  meaning: string;
  /** The effect of leaving it out. */
  unset: string;
  /** Where to get the value. */
  where: string;
}

const applications = 'https://discord.com/developers/applications';
const sandboxOrMissing =
  'Left out: missing, unless nothing that means a real installation is set, which is the sandbox.';

/** What keeps a secret out of the environment, where other programs of the machine may see it. */
const fileOf = <Name extends SecretName>(name: Name) =>
  ({
    name: `${name}_FILE`,
    meaning: `A file that holds ${name}, in its place: both are an error. A line break at its end is cut off. A relative path is taken from the folder where the bot is started.`,
    unset: `Left out: ${name} alone counts.`,
    where: `It holds ${name} and nothing else, on one line, and the bot's user may read it: chmod 600, chown. Docker mounts secrets at /run/secrets.`,
  }) as const;

/** The variables that hold a secret, and have another one that names a file of it. A Redis may want a password. */
export const secrets = ['DISCORD_TOKEN', 'PANEL_TOKEN', 'REDIS_URL'] as const;
export type SecretName = (typeof secrets)[number];

/** Every variable that the program reads, as in .env.example. */
export const variables = [
  {
    name: 'DISCORD_TOKEN',
    meaning:
      "The bot's token. The word sandbox takes Discord from the sandbox; the other DISCORD_ variables then count for nothing.",
    unset: sandboxOrMissing,
    where: `${applications}, your application, Bot, Reset Token.`,
  },
  fileOf('DISCORD_TOKEN'),
  {
    name: 'DISCORD_GUILD_ID',
    meaning: 'The one guild (server) in which commands are answered: 17 to 19 digits. The bot leaves every other.',
    unset: sandboxOrMissing,
    where: "In Discord with Settings, Advanced, Developer Mode on: right-click the guild's name, Copy Server ID.",
  },
  {
    name: 'DISCORD_API_URL',
    meaning:
      "Another address for Discord's API, such as a proxy's. Ends in /api; plain http only on loopback. It is sent the token.",
    unset: "Left out: Discord's own, https://discord.com/api.",
    where: 'From whoever runs that proxy. Without one, leave it out.',
  },
  {
    name: 'AUDIT_CHANNEL_ID',
    meaning:
      'The channel to which the bot posts what it records, so that nobody changes the one without the other: 17 to 19 digits. The bot needs View Channel, Send Messages and Read Message History there, and nobody else needs to write.',
    unset: "Left out: nothing is posted. With the sandbox's Discord it is always its #audit.",
    where: "In Discord with Settings, Advanced, Developer Mode on: right-click the channel's name, Copy Channel ID.",
  },
  {
    name: 'PANEL_URL',
    meaning:
      'The panel, as https://panel.example.com or with /api/v1; plain http only on loopback. The word sandbox takes the panel from the sandbox; the other PANEL_ variables then count for nothing.',
    unset: sandboxOrMissing,
    where: "The address that the panel's administration opens at in a browser.",
  },
  {
    name: 'PANEL_TOKEN',
    meaning:
      "A token of the panel's API. It needs the permissions of the commands that the policy allows, and no others.",
    unset: sandboxOrMissing,
    where:
      "In the panel's administration, where its API tokens are made. An address allow-list there must have this machine's address.",
  },
  fileOf('PANEL_TOKEN'),
  {
    name: 'PANEL_CA_FILE',
    meaning:
      "Certificates of a private CA that signed the panel's certificate, in PEM. They are trusted beside the public ones. A file that every user of the machine may change is refused.",
    unset: 'Left out: public CAs only. Verification cannot be turned off.',
    where: 'From whoever runs that CA: the CA certificate, not the key.',
  },
  {
    name: 'POLICY_FILE',
    meaning: 'Who may do what, in YAML. A file that every user of the machine may change is refused.',
    unset: "Left out: ./policy.yaml; with the sandbox's Discord policy.example.yaml.",
    where: 'Copy policy.example.yaml, which explains every key, and put in your own roles and servers.',
  },
  {
    name: 'DATA_DIR',
    meaning:
      'The folder of what must survive a restart, the ledger first of all. On a disk of its own it cannot be filled by others. One to which every user of the machine may write is refused.',
    unset: 'Left out: ./data; with the sandbox on either side ./data/sandbox.',
    where: 'Any folder that the bot may write to.',
  },
  {
    name: 'LEDGER',
    meaning:
      'Where the ledger is kept. file: in DATA_DIR, for one process. redis: in the Redis of REDIS_URL, for several processes, also on several machines; that Redis must write to disk before it answers (appendonly yes, and appendfsync always where it has no WAITAOF).',
    unset: 'Left out: file.',
    where: 'Leave it out, unless more than one process is to serve the guild or to follow restores.',
  },
  {
    name: 'REDIS_URL',
    meaning:
      'A Redis or Valkey for the queue of follow-ups, and with LEDGER=redis the ledger and what processes share: rediss://, or redis:// on loopback, without a query.',
    unset: 'Left out: the embedded one, which this process alone uses.',
    where: 'From whoever runs that Redis.',
  },
  fileOf('REDIS_URL'),
  {
    name: 'REGISTER',
    meaning:
      'Whether the slash commands are registered with Discord at start: on-start, or off. Only what changed is registered.',
    unset: 'Left out: on-start.',
    where: 'Leave it out. off is for when something else registers them.',
  },
  {
    name: 'HTTP_PORT',
    meaning:
      "The port of /livez, /readyz and /metrics: 1 to 65535, or 0 for any that is free. With the sandbox's Discord it is the port of the page in which that is tried, on 127.0.0.1.",
    unset: 'Left out: no health and no metrics; the page is on 8137, or any port that is free when that is taken.',
    where:
      'Choose one for whoever watches the bot. With the sandbox leave it out, unless the address must always be the same.',
  },
  {
    name: 'HTTP_HOST',
    meaning:
      "The IP address on which /livez, /readyz and /metrics are: 0.0.0.0 or :: for all that the machine has. They have no secrets and no password: let your network keep strangers out. With the sandbox's Discord it counts for nothing.",
    unset: 'Left out: 127.0.0.1, which nobody else reaches.',
    where: 'Leave it out where Prometheus runs on the same machine. In a container it is 0.0.0.0.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      "Where traces are sent by OTLP over HTTP, one for each command, without options, names or tokens; /v1/traces is appended. OpenTelemetry's other variables, such as OTEL_EXPORTER_OTLP_HEADERS, work too.",
    unset: 'Left out: there are no traces, and nothing of OpenTelemetry is loaded.',
    where: 'From whoever runs the collector: its address for OTLP over HTTP, often port 4318.',
  },
  {
    name: 'LOG_LEVEL',
    meaning: 'The least that goes to the log on standard error: trace, debug, info, warn, error, fatal, silent.',
    unset: 'Left out: info; with the sandbox on either side warn.',
    where: 'Leave it out. debug is for finding a fault.',
  },
] as const satisfies readonly Variable[];

export type VariableName = (typeof variables)[number]['name'];
