export type * from './command/command.ts';
export { defineChange, defineLocal, defineRead } from './command/define.ts';
export type { ChangeDefinition, LocalContext } from './command/definition.ts';
export { described, exampleWith, lineOf, readLine, written } from './command/line.ts';
export * from './command/look.ts';
export type * from './command/option.ts';
export type * from './command/tools.ts';
export type { Kept, ReadRules } from './runs/kept.ts';
