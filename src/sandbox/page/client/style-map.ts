import { noChange } from 'lit';
import { type AttributePart, Directive, directive } from 'lit/directive.js';

type Styles = Readonly<Record<string, string | number | null | undefined>>;

/** Lit's own `styleMap` writes an attribute, which the page's content security policy forbids. */
class StyleMap extends Directive {
  override render(_styles: Styles): typeof noChange {
    return noChange;
  }

  override update({ element }: AttributePart, [styles]: [Styles]): typeof noChange {
    if (!(element instanceof HTMLElement)) return noChange;
    for (const [name, value] of Object.entries(styles)) {
      if (value == null || value === '') element.style.removeProperty(name);
      else element.style.setProperty(name, String(value));
    }
    return noChange;
  }
}

/** The bundle replaces Lit's `styleMap` with it, also for the components. */
export const styleMap = directive(StyleMap);
