import type { Markup } from '../card.ts';
import type { Answer, Server } from '../outcome.ts';
import type { Data, EndpointName, endpoints, Input } from '../panel/endpoints.ts';

export type ReadEndpoint = {
  [E in EndpointName]: (typeof endpoints)[E]['method'] extends 'GET' ? E : never;
}[EndpointName];
/** Reads from the panel, or throws ReadFailed. */
export type Read<R extends ReadEndpoint = ReadEndpoint> = <E extends R>(
  endpoint: E,
  input: Input<E>,
) => Promise<NonNullable<Data<E>>>;
/** When a server's backups were made, in ms, newest first. Undefined: nobody knows where the panel lists them. */
export type Backups = readonly number[] | 'unread' | undefined;
export type ReadBackups = (server: Server) => Promise<Backups>;
export type Call = <E extends EndpointName>(endpoint: E, input: Input<E>) => Promise<Answer<Data<E>>>;

/** A read returned no data. The answer says why. */
export class ReadFailed extends Error {
  readonly answer: Exclude<Answer<never>, { kind: 'yes' }>;
  /** Additional lines for the card. */
  readonly beside: readonly Markup[];
  constructor(answer: Exclude<Answer<never>, { kind: 'yes' }>, beside: readonly Markup[] = []) {
    super(`read failed: ${answer.reason}`);
    this.name = 'ReadFailed';
    this.answer = answer;
    this.beside = beside;
  }
}
