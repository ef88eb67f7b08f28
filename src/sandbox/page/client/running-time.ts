import { moment } from './time.ts';

/** `<running-time at="seconds" look="R">`: a time that updates every second while it is on the page. */
export class RunningTime extends HTMLElement {
  static readonly observedAttributes = ['at', 'look'];
  #timer: ReturnType<typeof setInterval> | undefined;

  connectedCallback(): void {
    this.#timer = setInterval(() => this.#update(), 1000);
    this.#update();
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer);
  }

  attributeChangedCallback(): void {
    this.#update();
  }

  #update(): void {
    const at = Number(this.getAttribute('at')) * 1000;
    const text = moment(at, this.getAttribute('look') ?? 'f', Date.now());
    if (this.textContent !== text) this.textContent = text;
    this.title = moment(at, 'F', Date.now());
  }
}
