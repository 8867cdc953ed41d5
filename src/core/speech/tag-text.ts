import { spokenTagFault } from './spoken-text.ts';

/** A part of a text, counted in characters as a text field does. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

export type SpokenTag =
  | { readonly kind: 'pause' }
  | { readonly kind: 'digits' }
  /** `say`: what is said instead. */
  | { readonly kind: 'alias'; readonly say: string };

const pauseTag = '<break time="500ms"/>';

/**
 * A spoken text with a tag at what is selected, and what is selected then. Null: nothing there can have this tag, such as a part of
 * another tag.
 */
export function withTag(
  text: string,
  selected: TextSpan,
  tag: SpokenTag,
): { readonly text: string; readonly selected: TextSpan } | null {
  const span =
    tag.kind === 'pause' ? { from: selected.to, to: selected.to } : taggable(text, selected, tag.kind);
  if (span === null) return null;
  const inner = text.slice(span.from, span.to);
  const written = writeTag(tag, inner);
  const made = text.slice(0, span.from) + written + text.slice(span.to);
  if (spokenTagFault(made) !== null && spokenTagFault(text) === null) return null;
  const end = span.from + written.length;
  return { text: made, selected: { from: end, to: end } };
}

/** What is selected without the spaces around it; with no selection, the word or the number at that place. Null: there is none. */
export function taggable(text: string, { from, to }: TextSpan, kind: 'digits' | 'alias'): TextSpan | null {
  const isPart = kind === 'digits' ? /[\p{N}*#+-]/u : /[\p{L}\p{M}\p{N}'’.-]/u;
  let [start, end] = [from, to];
  if (start === end) {
    while (start > 0 && isPart.test(text.charAt(start - 1))) start -= 1;
    while (end < text.length && isPart.test(text.charAt(end))) end += 1;
  }
  const inner = text.slice(start, end);
  start += inner.length - inner.trimStart().length;
  end = start + inner.trim().length;
  const isFit = kind === 'digits' ? /[\p{L}\p{N}*#]/u : /\S/u;
  const isInTag = /<\/?[A-Za-z][^<>]*$/.test(text.slice(0, start));
  return isFit.test(inner) && !/[<>]/.test(inner) && !isInTag ? { from: start, to: end } : null;
}

function writeTag(tag: SpokenTag, inner: string): string {
  switch (tag.kind) {
    case 'pause':
      return pauseTag;
    case 'digits':
      return `<say-as interpret-as="digits">${inner}</say-as>`;
    case 'alias': {
      // What would end the tag, or the text in the menu, is not said anyway.
      const said = tag.say
        .replace(/[<>|"]/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();
      return `<sub alias="${said}">${inner}</sub>`;
    }
  }
}
