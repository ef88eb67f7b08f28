import { commands } from '../../commands/index.ts';
import { buttonKinds } from '../cards/buttons.ts';

/** What metrics may name: nothing that somebody outside chose. */
export const labels = { commands: commands.map(({ id }) => id), buttons: buttonKinds };
