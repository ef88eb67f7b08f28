import type {
  ChangeDefinition,
  Command,
  Face,
  InputOf,
  LocalDefinition,
  Options,
  ParseContext,
  Read,
  ReadDefinition,
} from '../command.ts';
import { Invalid, type RawOptions, type Server } from '../outcome.ts';
import type { EndpointName } from '../panel/endpoints.ts';

/** Reads all options; throws Invalid for the first that breaks its rule, and for names that the command does not have. */
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
  // The loop filled each key of O with what its own read returned; a mapped type cannot be followed through a loop.
  return input as InputOf<O>;
}

/** The options written out again: ids instead of names, times instead of "-6h", defaults filled in. Reads to the same input. */
function canonical<O extends Options>(options: O, input: InputOf<O>): RawOptions {
  const raw: Record<string, string | number | boolean> = {};
  for (const [name, option] of Object.entries(options)) {
    const value = option.write(input[name]);
    if (value !== undefined) raw[name] = value;
  }
  return raw;
}

function read<O extends Options>(
  face: Face<O>,
  raw: RawOptions,
  context: ParseContext,
): { input: InputOf<O>; options: RawOptions } {
  const input = parse(face.options, raw, context);
  face.check?.(input, context);
  return { input, options: canonical(face.options, input) };
}

export function defineRead<O extends Options>(definition: ReadDefinition<O>): Command {
  const { id, description, example, options } = definition;
  return {
    id,
    danger: 'read',
    description,
    example,
    options,
    prepare(raw, context) {
      const parsed = read(definition, raw, context);
      const subject = definition.subject?.(parsed.input);
      return {
        kind: 'read',
        options: parsed.options,
        servers: definition.servers?.(parsed.input) ?? [],
        ...(subject === undefined ? {} : { subject }),
        view: (readPanel, access, part) =>
          definition.view(parsed.input, { read: readPanel, access, part, options: parsed.options }),
      };
    },
  };
}

export function defineChange<O extends Options, E extends EndpointName>(definition: ChangeDefinition<O, E>): Command {
  const { id, danger, description, example, options, limited, look, noUndo, ifStuck } = definition;
  return {
    id,
    danger,
    description,
    example,
    options,
    ...(limited === undefined ? {} : { limited }),
    ...(ifStuck === undefined ? {} : { ifStuck }),
    prepare(raw, context) {
      const { input, options: written } = read(definition, raw, context);
      const apply = definition.apply?.(input);
      const { reason } = written;
      const remind = definition.remind?.(input);
      return {
        kind: 'change',
        options: written,
        servers: definition.servers(input),
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(look === undefined ? {} : { look: (server: Server, readPanel: Read) => look(server, input, readPanel) }),
        ...(apply === undefined ? {} : { apply }),
        yes: (server) => definition.done(server, input, undefined),
        undo: (server, remembered) => definition.undo?.(server, input, undefined, remembered),
        ...(noUndo === undefined ? {} : { noUndo: (without: readonly Server[]) => noUndo(input, without) }),
        ...(remind === undefined ? {} : { remind }),
        question: (looks) => definition.question(input, looks),
        async attempt(server, call, remembered) {
          const answer = await call(definition.endpoint, definition.request(server, input));
          if (answer.kind !== 'yes') return answer;
          const undo = definition.undo?.(server, input, answer.data, remembered);
          const done = definition.done(server, input, answer.data);
          return { kind: 'yes', data: undo === undefined ? done : { ...done, undo } };
        },
        effects: (open) => definition.effects?.(input, open) ?? {},
        manualCheck: (server) => definition.manualCheck(server, input),
      };
    },
  };
}

export function defineLocal<O extends Options>(definition: LocalDefinition<O>): Command {
  const { id, danger, description, example, options, menu, walks, resume } = definition;
  const command: Command = {
    id,
    danger,
    description,
    example,
    options,
    local: true,
    ...(menu === undefined ? {} : { menu }),
    ...(walks === undefined ? {} : { walks }),
    ...(resume === undefined ? {} : { resume }),
    prepare(raw, context) {
      const { input, options: written } = read(definition, raw, context);
      return {
        kind: 'local',
        options: written,
        servers: definition.servers(input),
        act: (tools, { actor, decide, roleName, holds }, part) =>
          definition.act(input, {
            ...tools,
            actor,
            find: context.find,
            roleName,
            holds,
            may: (server) => decide(command, server).allowed,
            part,
            options: written,
          }),
      };
    },
  };
  return command;
}
