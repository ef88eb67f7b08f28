/** An environment variable, as .env.example describes it. */
export interface Variable {
  name: string;
  meaning: string;
  unset: string;
  where: string;
}

const applications = 'https://discord.com/developers/applications';
const sandboxOrMissing = 'Default: none. It is required, unless the sandbox takes its place.';

/** The variable that names a file with the secret, to keep it out of the environment, which other programs may see. */
const fileOf = <Name extends SecretName>(name: Name) =>
  ({
    name: `${name}_FILE`,
    meaning: `A file that holds ${name}; setting both is an error. It is UTF-8, and may end with a line break. A relative path starts at the folder where you start the bot.`,
    unset: `Default: the bot uses ${name}.`,
    where: `The file holds ${name} and nothing else, on one line. Make it readable for the bot's user (chmod 600, chown). Docker mounts secrets at /run/secrets.`,
  }) as const;

/** The variables that hold a secret, and have another one that names a file of it. A Redis may want a password. */
export const secrets = ['DISCORD_TOKEN', 'PANEL_TOKEN', 'REDIS_URL', 'ALERTS_TOKEN'] as const;
export type SecretName = (typeof secrets)[number];

/** Every variable that the program reads, as in .env.example. */
export const variables = [
  {
    name: 'DISCORD_TOKEN',
    meaning:
      "The bot's token, or the word sandbox to use the sandbox's Discord, which ignores the other DISCORD_ variables.",
    unset: sandboxOrMissing,
    where: `${applications}, your application, Bot, Reset Token.`,
  },
  fileOf('DISCORD_TOKEN'),
  {
    name: 'DISCORD_GUILD_ID',
    meaning: 'The guild (server) that the bot serves: 17 to 19 digits. The bot leaves every other guild.',
    unset: sandboxOrMissing,
    where: "In Discord, turn on Settings, Advanced, Developer Mode. Then right-click the guild's name, Copy Server ID.",
  },
  {
    name: 'DISCORD_API_URL',
    meaning:
      "Another address for Discord's API, such as a proxy's. It ends in /api, is plain http only on loopback, and receives the token.",
    unset: "Default: Discord's own, https://discord.com/api.",
    where: 'Ask the operator of the proxy. Leave it out without one.',
  },
  {
    name: 'AUDIT_CHANNEL_ID',
    meaning:
      'The channel to which the bot posts its ledger, so that nobody can change one without the other: 17 to 19 digits. The bot needs View Channel, Send Messages, Read Message History and Attach Files there. Let nobody else write there.',
    unset: "Default: the bot posts nothing. The sandbox's Discord always uses its #audit.",
    where:
      "In Discord, turn on Settings, Advanced, Developer Mode. Then right-click the channel's name, Copy Channel ID.",
  },
  {
    name: 'PANEL_URL',
    meaning:
      "The panel's address, as https://panel.example.com or with /api/v1; plain http only on loopback. The word sandbox uses the sandbox's panel, which ignores the other PANEL_ variables.",
    unset: sandboxOrMissing,
    where: "Use the address at which you open the panel's administration in a browser.",
  },
  {
    name: 'PANEL_TOKEN',
    meaning:
      "A token for the panel's API. Give it the permissions of the commands that the policy allows, and no others.",
    unset: sandboxOrMissing,
    where:
      "Create it in the panel's administration. If the token has an address allow-list, add this machine's address.",
  },
  fileOf('PANEL_TOKEN'),
  {
    name: 'PANEL_CA_FILE',
    meaning:
      "The certificates, in PEM, of a private CA that signed the panel's certificate. The bot trusts them beside the public ones. It refuses a file that every user of the machine may change.",
    unset: 'Default: public CAs only. Verification cannot be turned off.',
    where: 'Ask the operator of the CA for the CA certificate, not the key.',
  },
  {
    name: 'POLICY_FILE',
    meaning: 'Who may do what, in YAML. The bot refuses a file that every user of the machine may change.',
    unset: "Default: ./policy.yaml, or policy.example.yaml with the sandbox's Discord.",
    where: 'Copy policy.example.yaml, which explains every key, and put in your own roles and servers.',
  },
  {
    name: 'DATA_DIR',
    meaning:
      'The folder for everything that must survive a restart, above all the ledger. On a disk of its own, nothing else can fill it. The bot refuses a folder to which every user of the machine may write.',
    unset: 'Default: ./data, or ./data/sandbox with the sandbox on either side.',
    where: 'Use any folder to which the bot may write.',
  },
  {
    name: 'LEDGER',
    meaning:
      'Where the ledger is kept. file: in DATA_DIR, for one process. redis: in the Redis of REDIS_URL, for processes that stand by for each other, also on several machines. That Redis must write to disk before it answers (appendonly yes, and appendfsync always if it has no WAITAOF).',
    unset: 'Default: file.',
    where: 'Leave it out, unless another process is to stand by.',
  },
  {
    name: 'REDIS_URL',
    meaning:
      'A Redis or Valkey for the queue of follow-ups and, with LEDGER=redis, for the ledger: rediss://, or redis:// on loopback, without a query. A % in the password is written %25.',
    unset: 'Default: an embedded one for this process.',
    where: 'Ask the operator of that Redis.',
  },
  fileOf('REDIS_URL'),
  {
    name: 'REGISTER',
    meaning:
      'Whether the bot registers its slash commands with Discord at the start: on-start, or off. It registers only what changed.',
    unset: 'Default: on-start.',
    where: 'Leave it out. Use off if something else registers them.',
  },
  {
    name: 'HTTP_PORT',
    meaning:
      "The port of /livez, /readyz and /metrics: 1 to 65535, or 0 for any free one. With the sandbox's Discord it is the port of the sandbox's page, on 127.0.0.1.",
    unset: 'Default: no health and no metrics. The page is on 8137, or on any free port if that is taken.',
    where: 'Set it if you monitor the bot. With the sandbox, leave it out, unless the page needs a fixed address.',
  },
  {
    name: 'HTTP_HOST',
    meaning:
      "The IP address of /livez, /readyz and /metrics: :: for all addresses of the machine, 0.0.0.0 for those of IPv4. They have no secrets and no password, so keep strangers out with your network. The sandbox's Discord ignores it.",
    unset: 'Default: 127.0.0.1, which nobody outside the machine can reach.',
    where: 'Leave it out if Prometheus runs on the same machine. In a container, use ::, which is IPv4 and IPv6.',
  },
  {
    name: 'ALERTS_PORT',
    meaning:
      'The port on which the bot takes alerts from Alertmanager, Grafana and others: 1 to 65535, or 0 for any free one. docs/alerts.md says how to send them. It is plain http: put a proxy with TLS in front of it.',
    unset: 'Default: the bot takes no alerts. The sandbox takes them on 9099, or on any free port if that is taken.',
    where: 'Set it with ALERTS_TOKEN, and with alerts in the policy.',
  },
  {
    name: 'ALERTS_HOST',
    meaning:
      'The IP address on which the bot takes alerts: :: for all addresses of the machine, 0.0.0.0 for those of IPv4.',
    unset: 'Default: 127.0.0.1, which nobody outside the machine can reach.',
    where: 'Leave it out if the proxy runs on the same machine. In a container, use ::, which is IPv4 and IPv6.',
  },
  {
    name: 'ALERTS_TOKEN',
    meaning:
      'The tokens of those who send alerts, each as name=token, with commas in between: alertmanager=TOKEN,grafana=TOKEN. The name, of small letters, digits and dashes, is the source on cards and in the ledger. To revoke a source, remove its token and restart the bot.',
    unset: 'Default: none. It is required with ALERTS_PORT.',
    where: 'Make each token yourself, of 20 or more letters and digits: openssl rand -hex 24.',
  },
  fileOf('ALERTS_TOKEN'),
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'Where the bot sends traces and metrics by OTLP over HTTP, without options, names or tokens; it appends /v1/traces and /v1/metrics. OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_METRIC_EXPORT_INTERVAL work, too; OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, samplers and timeouts do not.',
    unset: 'Default: no traces and no pushed metrics.',
    where: 'Ask the operator of the collector for its OTLP/HTTP address, often port 4318.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    meaning:
      'Where the bot sends metrics by OTLP over HTTP, if not to the collector of the traces: the whole address, with its path.',
    unset: 'Default: OTEL_EXPORTER_OTLP_ENDPOINT with /v1/metrics, or nowhere.',
    where: 'Ask the operator of the collector for its OTLP/HTTP address of metrics, often ending in /v1/metrics.',
  },
  {
    name: 'OTEL_METRICS_EXPORTER',
    meaning: 'none: the bot pushes no metrics, as for a collector that takes only traces. otlp: it does.',
    unset: 'Default: otlp.',
    where: 'Ask the operator of the collector whether it takes metrics.',
  },
  {
    name: 'HTTPS_PROXY',
    meaning:
      'A proxy for Discord, the panel, traces and pushed metrics, such as http://proxy.example.com:3128, with user and password where it asks for them. It opens tunnels and cannot read them. Redis, and everything on this machine, are reached without it.',
    unset:
      'Default: no proxy. ALL_PROXY, HTTP_PROXY for traces and metrics over plain http, and all of these in small letters work too.',
    where: 'Ask the operator of the network. panelops check says what goes through it.',
  },
  {
    name: 'NO_PROXY',
    meaning:
      'Hosts that are reached without the proxy, separated by commas: panel.example.com, .example.com for all below it, or * for all.',
    unset: 'Default: none.',
    where: 'Name the panel if it is in the same network as the bot.',
  },
  {
    name: 'SHELL_SOCKET',
    meaning:
      "The Unix socket of the shell, if the policy has one: at most 96 bytes, in a folder that everybody may enter and only the bot's user may write to. The bot and panelops do must have the same one.",
    unset: 'Default: /run/panelops/shell.sock.',
    where: 'Leave it out, unless several bots run on one machine.',
  },
  {
    name: 'LOG_LEVEL',
    meaning: 'The lowest level that goes to the log on standard error: trace, debug, info, warn, error, fatal, silent.',
    unset: 'Default: info, or warn with the sandbox on either side.',
    where: 'Leave it out. Use debug to find a fault.',
  },
] as const satisfies readonly Variable[];

export type VariableName = (typeof variables)[number]['name'];
