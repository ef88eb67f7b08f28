import { joined, type Markup, trusted } from '../card.ts';
import { Invalid, type RawOptions } from '../outcome.ts';
import type { EndpointName } from '../panel/endpoints.ts';
import type { Command } from './command.ts';
import type { ChangeDefinition, LocalDefinition, ReadDefinition, Spec, Undo } from './definition.ts';
import type { ReadEndpoint, Step } from './look.ts';
import type { InputOf, Options, ParseContext } from './option.ts';

/** Parses all options. Throws Invalid for the first that breaks its rule, and for unknown names. */
function parse<O extends Options>(options: O, raw: RawOptions, context: ParseContext): InputOf<O> {
  const input: Record<string, unknown> = {};
  for (const name of Object.keys(raw)) {
    if (!(name in options)) throw new Invalid(name, 'this command has no such option');
  }
  for (const [name, option] of Object.entries(options)) {
    const refuse = (rule: string): never => {
      throw new Invalid(name, rule);
    };
    if (raw[name] === undefined && option.required) refuse('it is required');
    input[name] = option.read(raw[name], { ...context, refuse });
  }
  // The loop filled each key of O with the result of its own `read`, which a mapped type cannot express.
  return input as InputOf<O>;
}

/** The options in canonical form, which parses to the same input: ids for names, times for "-6h", defaults filled in. */
function canonical<O extends Options>(options: O, input: InputOf<O>): RawOptions {
  const raw: Record<string, string | number | boolean> = {};
  for (const [name, option] of Object.entries(options)) {
    // The value of an option without `write` is what it was given.
    const value = option.write === undefined ? (input[name] as RawOptions[string]) : option.write(input[name]);
    if (value !== undefined) raw[name] = value;
  }
  return raw;
}

/** The input, and what every prepared command has of it. */
function read<O extends Options>(spec: Spec<string, O>, raw: RawOptions, context: ParseContext) {
  const input = parse(spec.options, raw, context);
  spec.check?.(input, context);
  const servers = Object.entries(spec.options).flatMap(([name, option]) => option.servers?.(input[name]) ?? []);
  return { input, common: { options: canonical(spec.options, input), servers } };
}

export function defineRead<Id extends string, O extends Options, R extends ReadEndpoint = never>(
  definition: ReadDefinition<Id, O, R>,
): Command<Id> {
  return {
    ...definition,
    danger: 'read',
    prepare(raw, context) {
      const { input, common } = read(definition, raw, context);
      return {
        kind: 'read',
        ...common,
        title: definition.title(input),
        subject: definition.subject?.(input),
        view: (readPanel, access, part, tools) =>
          definition.view(input, { read: readPanel, access, tools, part, options: common.options }),
      };
    },
  };
}

function undoOf<O extends Options, E extends EndpointName>(
  undo: Undo<O, E> | undefined,
  ...of: Parameters<Undo<O, E>['options']>
): Step | undefined {
  const options = undo?.options(...of);
  return undo === undefined || options === undefined ? undefined : { command: undo.command, options };
}

/** What cannot be taken back says so right below what would happen. */
function final([first, second, ...others]: readonly Markup[]): readonly Markup[] {
  const warning = trusted('**Cannot be undone.**');
  return [
    ...(first === undefined ? [] : [first]),
    second === undefined ? warning : joined([warning, second], ' '),
    ...others,
  ];
}

export function defineChange<
  Id extends string,
  O extends Options,
  E extends EndpointName,
  R extends ReadEndpoint = never,
>(definition: ChangeDefinition<Id, O, E, R>): Command<Id> {
  const { endpoint, look, checkNow, readBack, noUndo, leaves } = definition;
  return {
    ...definition,
    sends: endpoint,
    undoneBy: definition.undo?.command,
    prepare(raw, context) {
      const { input, common } = read(definition, raw, context);
      const { reason } = common.options;
      const label = definition.label(input);
      return {
        kind: 'change',
        ...common,
        label,
        fullLabel: definition.fullLabel?.(input, context.team) ?? trusted(label),
        reason: typeof reason === 'string' ? reason : undefined,
        look: look && ((server, readPanel, backups) => look(server, input, readPanel, backups)),
        apply: definition.apply?.(input),
        checkNow: checkNow && ((server, readPanel, before, kept) => checkNow(server, input, readPanel, before, kept)),
        readBack: readBack && ((server, readPanel) => readBack(server, input, readPanel)),
        yes: (server) => definition.done(server, input, undefined),
        undo: (server, past = {}) => undoOf(definition.undo, server, input, undefined, past),
        noUndo: noUndo && ((without, kept) => noUndo(input, without, kept)),
        leaves: leaves && ((found) => leaves(input, found)),
        remind: definition.remind?.(input),
        question(looks) {
          const lines = definition.question(input, looks, context.team);
          return noUndo !== undefined && definition.undo === undefined ? final(lines) : lines;
        },
        details: (found) => definition.details(input, found, context.team),
        async attempt(server, call, past = {}) {
          const result = await call(endpoint, definition.request(server, input));
          if (result.kind !== 'yes') return result;
          const said = definition.differs?.(input, result.data);
          if (said !== undefined) return { kind: 'unknown', reason: 'no-success', said };
          const undo = undoOf(definition.undo, server, input, result.data, past);
          const done = definition.done(server, input, result.data);
          return { kind: 'yes', data: undo === undefined ? done : { ...done, undo } };
        },
        effects: (open) => definition.effects?.(input, open) ?? {},
        manualCheck: (server) => definition.manualCheck(server, input),
      };
    },
  };
}

export function defineLocal<Id extends string, O extends Options>(definition: LocalDefinition<Id, O>): Command<Id> {
  const command: Command<Id> = {
    ...definition,
    local: true,
    asksFirst: definition.asks && true,
    prepare(raw, context) {
      const { input, common } = read(definition, raw, context);
      return {
        kind: 'local',
        ...common,
        title: definition.title?.(input),
        subject: definition.subject?.(input),
        asks: (records, place, now) => definition.asks?.(input, { team: context.team, records, place, now }),
        act: async (tools, { actor, decide, roleName, holds, mayApprove, mayChange, isPrivate }, part) =>
          await definition.act(input, {
            ...tools,
            actor,
            find: context.find,
            ...{ roleName, holds, mayApprove, mayChange, isPrivate },
            may: (server) => decide(command, server).allowed,
            part,
            options: common.options,
          }),
      };
    },
  };
  return command;
}
