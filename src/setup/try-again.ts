import { type Ask, Stopped } from './ask.ts';

/** Rejects with Stopped unless somebody wants to try again. */
export async function tryAgain(ask: Ask, label: string): Promise<void> {
  const goesOn = await ask.one('What now?', [
    { value: true, label },
    { value: false, label: 'Stop; nothing is written' },
  ]);
  if (!goesOn) throw new Stopped();
}
