import type { APIModalInteractionResponseCallbackData } from 'discord-api-types/v10';
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { attempt, type Page } from './page.ts';

interface Input {
  custom_id: string;
  label: string;
  description: string;
  value: string;
  placeholder: string;
  required: boolean;
  min: number;
  max: number;
  long: boolean;
}

interface Choice {
  custom_id: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

const textInput = 4;
const radioGroup = 21;
const stringSelect = 3;
const paragraph = 2;

export function modal(page: Page): TemplateResult | typeof nothing {
  const open = page.state.view?.modal;
  if (open === undefined) return nothing;
  const dismiss = (): void => void attempt(page, { what: 'dismiss', as: page.state.as });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const fields = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, String(value)]));
    await attempt(page, { what: 'submit', as: page.state.as, fields });
  };
  const cancel = (event: Event): void => {
    event.preventDefault();
    dismiss();
  };
  return html`${keyed(
    open.id,
    html`
      <dialog class="dialog form" data-modal aria-labelledby="modal-title" @cancel=${cancel}>
        <h2 id="modal-title"><bdi>${open.body.title}</bdi></h2>
        <p class="warned">This form will be sent to <b>panelops</b>. Do not share passwords.</p>
        <form @submit=${submit}>
          ${inputsOf(open.body).map((input, i) => ('options' in input ? choice(input, i) : field(input, i)))}
          ${page.state.problem === undefined ? nothing : html`<p class="problem" role="alert"><bdi>${page.state.problem}</bdi></p>`}
          <p class="actions">
            <button type="button" class="button plain" @click=${dismiss}>Cancel</button>
            <button class="button primary">Submit</button>
          </p>
        </form>
      </dialog>
    `,
  )}`;
}

const field = (input: Input, i: number): TemplateResult => html`
  <label class="field">
    <span><bdi>${input.label}</bdi>${input.required ? html` <i aria-hidden="true">*</i>` : nothing}</span>
    ${input.description === '' ? nothing : html`<small>${input.description}</small>`}
    ${
      input.long
        ? html`<textarea name=${input.custom_id} rows="4" minlength=${input.min} maxlength=${input.max} placeholder=${input.placeholder} ?required=${input.required} ?autofocus=${i === 0} .defaultValue=${input.value}></textarea>`
        : html`<input name=${input.custom_id} autocomplete="off" dir="auto" minlength=${input.min} maxlength=${input.max} placeholder=${input.placeholder} ?required=${input.required} ?autofocus=${i === 0} value=${input.value} />`
    }
  </label>
`;

/** One of several, also of a select menu. */
const choice = (input: Choice, i: number): TemplateResult => html`
  <fieldset class="field choice">
    <legend><bdi>${input.label}</bdi> <i aria-hidden="true">*</i></legend>
    ${input.options.map(
      ({ value, label }, n) => html`
        <label><input type="radio" name=${input.custom_id} value=${value} required ?autofocus=${i === 0 && n === 0} /> <bdi>${label}</bdi></label>
      `,
    )}
  </fieldset>
`;

/** The inputs of either of Discord's two layouts: rows with labelled inputs, or labels around inputs. */
function inputsOf({ components }: APIModalInteractionResponseCallbackData): (Input | Choice)[] {
  return components.flatMap((part) => {
    const inputs = 'components' in part ? part.components : 'component' in part ? [part.component] : [];
    const label = 'component' in part ? part.label : undefined;
    const description = 'component' in part ? (part.description ?? '') : '';
    return inputs.flatMap((input): (Input | Choice)[] => {
      if (input.type === radioGroup || input.type === stringSelect)
        return [{ custom_id: input.custom_id, label: label ?? '', options: input.options }];
      return input.type === textInput
        ? [
            {
              custom_id: input.custom_id,
              label: label ?? input.label ?? '',
              description,
              value: input.value ?? '',
              placeholder: input.placeholder ?? '',
              required: input.required ?? true,
              min: input.min_length ?? 0,
              max: input.max_length ?? 4000,
              long: input.style === paragraph,
            },
          ]
        : [];
    });
  });
}
