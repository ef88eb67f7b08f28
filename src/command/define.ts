import { joined, type Markup, trusted } from '../card.ts';
import { Invalid, type RawOptions, type Server } from '../outcome.ts';
import type { EndpointName } from '../panel/endpoints.ts';
import type { Command } from './command.ts';
import type { ChangeDefinition, LocalDefinition, ReadDefinition, Spec, Undo } from './definition.ts';
import type { Step } from './offer.ts';
import type { InputOf, Options, ParseContext } from './option.ts';
import type { Read, ReadEndpoint } from './read.ts';

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

/**
 * The options in canonical form: ids instead of names, times instead of "-6h", defaults filled in. Parses to the same
 * input.
 */
function canonical<O extends Options>(options: O, input: InputOf<O>): RawOptions {
  const raw: Record<string, string | number | boolean> = {};
  for (const [name, option] of Object.entries(options)) {
    const value = option.write(input[name]);
    if (value !== undefined) raw[name] = value;
  }
  return raw;
}

function read<O extends Options>(
  spec: Spec<string, O>,
  raw: RawOptions,
  context: ParseContext,
): { input: InputOf<O>; options: RawOptions } {
  const input = parse(spec.options, raw, context);
  spec.check?.(input, context);
  return { input, options: canonical(spec.options, input) };
}

export function defineRead<Id extends string, O extends Options, R extends ReadEndpoint = never>(
  definition: ReadDefinition<Id, O, R>,
): Command<Id> {
  const { id, description, example, options, reads, gathers, everyone, anywhere, shows } = definition;
  return {
    id,
    danger: 'read',
    description,
    example,
    options,
    reads,
    gathers,
    everyone,
    anywhere,
    shows,
    prepare(raw, context) {
      const parsed = read(definition, raw, context);
      const subject = definition.subject?.(parsed.input);
      return {
        kind: 'read',
        options: parsed.options,
        servers: definition.servers?.(parsed.input) ?? [],
        title: definition.title(parsed.input),
        subject,
        view: (readPanel, access, part, tools) =>
          definition.view(parsed.input, { read: readPanel, access, tools, part, options: parsed.options }),
      };
    },
  };
}

/** How to undo a yes, as far as known. */
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
  const { id, danger, description, example, options, endpoint, reads, limited, look, noUndo, noun, ifStuck } =
    definition;
  const { follows, checkedBy, checkNow, readBack, leaves } = definition;
  return {
    id,
    danger,
    description,
    example,
    options,
    sends: endpoint,
    reads,
    ...(definition.undo === undefined ? {} : { undoneBy: definition.undo.command }),
    limited,
    noun,
    ifStuck,
    follows,
    checkedBy,
    prepare(raw, context) {
      const { input, options: written } = read(definition, raw, context);
      const apply = definition.apply?.(input);
      const { reason } = written;
      const remind = definition.remind?.(input);
      const label = definition.label(input);
      return {
        kind: 'change',
        label,
        change: definition.change?.(input, context.team) ?? trusted(label),
        options: written,
        servers: definition.servers(input),
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(look === undefined ? {} : { look: (server: Server, readPanel: Read) => look(server, input, readPanel) }),
        apply,
        ...(checkNow === undefined
          ? {}
          : { checkNow: (server, readPanel, before, kept) => checkNow(server, input, readPanel, before, kept) }),
        ...(readBack === undefined
          ? {}
          : { readBack: (server: Server, readPanel: Read) => readBack(server, input, readPanel) }),
        yes: (server) => definition.done(server, input, undefined),
        undo: (server, past = {}) => undoOf(definition.undo, server, input, undefined, past),
        ...(noUndo === undefined ? {} : { noUndo: (without, kept) => noUndo(input, without, kept) }),
        ...(leaves === undefined ? {} : { leaves: (found) => leaves(input, found) }),
        remind,
        question(looks) {
          const lines = definition.question(input, looks, context.team);
          return noUndo !== undefined && definition.undo === undefined ? final(lines) : lines;
        },
        details: (found) => definition.details(input, found, context.team),
        async attempt(server, call, past = {}) {
          const answer = await call(endpoint, definition.request(server, input));
          if (answer.kind !== 'yes') return answer;
          const said = definition.differs?.(input, answer.data);
          if (said !== undefined) return { kind: 'unknown', reason: 'no-success', said };
          const undo = undoOf(definition.undo, server, input, answer.data, past);
          const done = definition.done(server, input, answer.data);
          return { kind: 'yes', data: undo === undefined ? done : { ...done, undo } };
        },
        effects: (open) => definition.effects?.(input, open) ?? {},
        manualCheck: (server) => definition.manualCheck(server, input),
      };
    },
  };
}

export function defineLocal<Id extends string, O extends Options>(definition: LocalDefinition<Id, O>): Command<Id> {
  const { id, danger, description, example, options, menu, byName, walks, resume, instead, thaws, needs } = definition;
  const command: Command<Id> = {
    id,
    danger,
    description,
    example,
    options,
    local: true,
    asksFirst: definition.asks && true,
    menu,
    byName,
    walks,
    instead,
    thaws,
    needs,
    resume,
    prepare(raw, context) {
      const { input, options: written } = read(definition, raw, context);
      const [title, subject] = [definition.title?.(input), definition.subject?.(input)];
      return {
        kind: 'local',
        options: written,
        title,
        subject,
        servers: definition.servers(input),
        asks: (records, place, now) => definition.asks?.(input, { team: context.team, records, place, now }),
        act: async (tools, { actor, decide, roleName, holds, mayApprove }, part) =>
          await definition.act(input, {
            ...tools,
            actor,
            find: context.find,
            roleName,
            holds,
            mayApprove,
            may: (server) => decide(command, server).allowed,
            part,
            options: written,
          }),
      };
    },
  };
  return command;
}
