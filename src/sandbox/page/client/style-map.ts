import { noChange } from 'lit';
import { type AttributePart, Directive, directive } from 'lit/directive.js';

type Styles = Readonly<Record<string, string | number | null | undefined>>;

/** Lit's own writes the first styles as an attribute, which the page's policy forbids; this one sets them one by one. */
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

/** In the bundle it stands in the place of Lit's `styleMap`, for the drawn parts, too. */
export const styleMap = directive(StyleMap);
