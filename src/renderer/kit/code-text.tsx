import { Fragment } from 'react';

/** A text with the parts in backticks as code. */
export function CodeText({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, place) =>
      place % 2 === 0 ? <Fragment key={place}>{part}</Fragment> : <code key={place}>{part}</code>,
    );
}
