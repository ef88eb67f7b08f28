import { moment } from './time.ts';

/** `<running-time at="seconds" look="R">`: a time that updates every second while it is on the page. */
export class RunningTime extends HTMLElement {
  static readonly observedAttributes = ['at', 'look'];
  #timer: ReturnType<typeof setInterval> | undefined;

  connectedCallback(): void {
    this.#timer = setInterval(() => this.#tell(), 1000);
    this.#tell();
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer);
  }

  attributeChangedCallback(): void {
    this.#tell();
  }

  #tell(): void {
    const at = Number(this.getAttribute('at')) * 1000;
    const told = moment(at, this.getAttribute('look') ?? 'f', Date.now());
    if (this.textContent !== told) this.textContent = told;
    this.title = moment(at, 'F', Date.now());
  }
}
