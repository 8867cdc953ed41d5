import { Fragment, type ReactNode } from 'react';

type Place<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Place<Rest> : never;

/**
 * A sentence with elements in its places: `text` is `'Sent to {service}.'`, and `parts` has an element for each name.
 *
 * Each is isolated, so that a name in a script from right to left leaves the order of the sentence alone. Where `text` is a literal type, a missing or misspelt part is an error of types.
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
    .map((piece, place) =>
      place % 2 === 0 ? <Fragment key={place}>{piece}</Fragment> : <bdi key={place}>{byName[piece]}</bdi>,
    );
}
