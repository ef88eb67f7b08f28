export type * from './command/command.ts';
export { defineChange, defineLocal, defineRead } from './command/define.ts';
export type { ChangeDefinition, LocalContext } from './command/definition.ts';
export { described, exampleWith, lineOf, readLine, written } from './command/line.ts';
export type { Before, Past, Preview, Step, Verdict, ViewOffer } from './command/look.ts';
export { type Backups, type Call, type Read, type ReadBackups, type ReadEndpoint, ReadFailed } from './command/look.ts';
export type * from './command/option.ts';
export type {
  Checked,
  Contradiction,
  Followed,
  FollowUpTools,
  Hindrance,
  IncidentTools,
  InventoryTools,
  ListRefreshed,
  NewStop,
  OnCallTools,
  StopTools,
  Strange,
  Tools,
  TrailLag,
  TrailTools,
  TrailTrouble,
} from './command/tools.ts';
export type { Kept, ReadRules } from './runs/kept.ts';
