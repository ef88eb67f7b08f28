import type { Markup } from '../card.ts';
import type { Answer } from '../outcome.ts';
import type { Data, EndpointName, endpoints, Input } from '../panel/endpoints.ts';

export type ReadEndpoint = {
  [E in EndpointName]: (typeof endpoints)[E]['method'] extends 'GET' ? E : never;
}[EndpointName];
/** Reads from the panel, or throws ReadFailed. */
export type Read<R extends ReadEndpoint = ReadEndpoint> = <E extends R>(
  endpoint: E,
  input: Input<E>,
) => Promise<NonNullable<Data<E>>>;
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
