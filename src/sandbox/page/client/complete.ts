import type { Choice } from './commands.ts';
import { lineOf, optionAt } from './draft.ts';
import { channelNow, type Page } from './page.ts';

/** The typing pause before a request to the bot. */
const pauseMs = 200;

/** Requests the choices of the active option from the bot, debounced. Called after every change. */
export function makeCompleter(page: Page, pause = pauseMs): () => void {
  let asked = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    const { draft, as, completion } = page.state;
    const option = optionAt(draft);
    const channel = channelNow(page)?.id;
    const picked = draft.values[draft.at]?.value !== undefined;
    const wanted = option?.completes && !picked && channel !== undefined;
    const key = wanted ? `${as} ${option.name} ${lineOf(draft)}` : '';
    if (key === asked) return;
    asked = key;
    clearTimeout(timer);
    if (!wanted) {
      if (completion !== undefined) page.set({ completion: undefined });
      return;
    }
    page.set({ completion: { asked: key, state: 'loading', choices: [] } });
    timer = setTimeout(() => {
      const settle = (state: 'ready' | 'failed', choices: readonly Choice[]): void => {
        if (asked === key) page.set({ completion: { asked: key, state, choices } });
      };
      page.act({ what: 'choices', as, channel, line: lineOf(draft), option: option.name }).then(
        (result) => settle('ready', choicesIn(result)),
        () => settle('failed', []),
      );
    }, pause);
  };
}

function choicesIn(result: unknown): Choice[] {
  if (!Array.isArray(result)) return [];
  return result.filter(
    (one: unknown): one is Choice => typeof one === 'object' && one !== null && 'name' in one && 'value' in one,
  );
}
