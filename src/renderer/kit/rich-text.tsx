import { Fragment, type ReactNode } from 'react';

type Place<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Place<Rest> : never;

/**
 * A sentence with elements in its places: `text` is `'Sent to {service}.'`, and `parts` has an element for each name.
 *
 * Where `text` is a literal type, a missing or misspelt part is an error of types.
 */
export function RichText<T extends string>({
  text,
  parts,
}: {
  text: T;
  parts: Readonly<Record<string extends T ? string : Place<T>, ReactNode>>;
}) {
  const byName: Readonly<Record<string, ReactNode>> = parts;
  return text
    .split(/\{(\w+)\}/)
    .map((piece, place) => <Fragment key={place}>{place % 2 === 0 ? piece : byName[piece]}</Fragment>);
}
