import { type Copy, DockerfileParser, type Env, type From, type Instruction } from 'dockerfile-ast';
import { readRoot } from '../house.ts';

/** The instructions between one FROM and the next. */
export interface BuildStage {
  /** The image that it begins with: node:24.20.0-trixie-slim. */
  base: string;
  /** As others name it in `--from`; the last one has none. */
  name: string | undefined;
  /** In order, without FROM. */
  steps: readonly Instruction[];
}

/** The stages of deploy/Dockerfile, as the editors' own parser reads it. */
export function buildStages(): BuildStage[] {
  const instructions = DockerfileParser.parse(readRoot('deploy/Dockerfile')).getInstructions();
  const starts = instructions.flatMap((each, at) => (each.getKeyword() === 'FROM' ? [at] : []));
  return starts.map((start, at) => {
    // The parser makes a From of each FROM.
    const from = instructions[start] as From;
    return {
      base: from.getImage() ?? '',
      name: from.getBuildStage() ?? undefined,
      steps: instructions.slice(start + 1, starts[at + 1]),
    };
  });
}

/** The stage that becomes the image. */
export function lastStage(): BuildStage {
  const last = buildStages().at(-1);
  if (last === undefined) throw new Error('deploy/Dockerfile has no FROM');
  return last;
}

/** What follows a keyword, on one line. */
const argumentsOf = (step: Instruction): string =>
  (step.getRawArgumentsContent() ?? '').replaceAll(/\\\n\s*/g, '').trim();

/** What follows each step of this keyword. */
export const allOf = ({ steps }: BuildStage, keyword: string): string[] =>
  steps.filter((step) => step.getKeyword() === keyword).map(argumentsOf);

/** What the one step of this keyword says. */
export function onlyOf(stage: BuildStage, keyword: string): string {
  const [first, ...others] = allOf(stage, keyword);
  if (first === undefined || others.length > 0) throw new Error(`the last stage has not one ${keyword}`);
  return first;
}

/** A command in exec form: JSON, and no shell. */
export function commandIn(text: string): string[] {
  const [list] = /\[[\s\S]*\]$/.exec(text) ?? [];
  if (list === undefined) throw new Error(`this is a command for a shell: ${text}`);
  return JSON.parse(list);
}

/** The environment that the image gives. */
export const environmentOf = ({ steps }: BuildStage): Record<string, string> =>
  Object.fromEntries(
    steps
      .filter((step): step is Env => step.getKeyword() === 'ENV')
      .flatMap((step) => step.getProperties().map((property) => [property.getName(), property.getValue() ?? ''])),
  );

export interface CopyStep {
  /** The stage that it copies from; undefined: the sources. */
  from: string | undefined;
  what: string[];
  to: string;
}

export const copiesOf = ({ steps }: BuildStage): CopyStep[] =>
  steps
    .filter((step): step is Copy => step.getKeyword() === 'COPY')
    .map((step) => {
      const paths = step.getArguments().map((argument) => argument.getValue());
      return { from: step.getFromFlag()?.getValue() ?? undefined, what: paths.slice(0, -1), to: paths.at(-1) ?? '' };
    });
