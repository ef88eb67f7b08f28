import { setTimeout as delay } from 'node:timers/promises';
import { type REST, Routes } from 'discord.js';
import type { Card } from '../card.ts';
import { DiscordUnavailable } from '../outcome.ts';
import { pauses } from '../pauses.ts';
import type { Reply } from '../shell/parts.ts';
import { isArchived, isGone, isMalformed } from './errors.ts';
import { filesOf, render } from './render.ts';
import { withoutFiles } from './without-files.ts';

interface Original {
  application: string;
  interactions: REST;
  note: string;
}

/** Makes the card the first answer to an interaction, or the clicked message; tries again while the token is valid. */
export async function show(
  { application, interactions, note }: Original,
  token: string,
  card: Card,
  isValid: () => boolean,
): ReturnType<Reply['show']> {
  const route = Routes.webhookMessage(application, token, '@original');
  const waits = pauses({ first: 200 });
  for (let shown = card; ; ) {
    try {
      await interactions.patch(route, { auth: false, body: render(shown, note), files: filesOf(shown) });
      return 'shown';
    } catch (error) {
      if (isArchived(error)) return 'archived';
      if (await isGone(error, () => interactions.get(route, { auth: false }))) return 'gone';
      if (isMalformed(error)) throw error;
      if (!isValid()) throw new DiscordUnavailable(error);
      const without = withoutFiles(shown, error);
      if (without === undefined) await delay(waits.next().value, undefined, { ref: false });
      else shown = without;
    }
  }
}
