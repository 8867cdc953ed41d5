import { expect } from 'vitest';

/** One value of a union for each of its codes, so that none is forgotten. */
export type OneEach<U extends { readonly code: string }> = {
  readonly [C in U['code']]: Extract<U, { readonly code: C }> | (U & { readonly code: C });
};

/** States that a text is whole sentences in plain words: it names no command, no code and nothing undefined. */
export function expectSentences(text: string): void {
  expect(text).toMatch(/^\S.*[.)]$|^\S.*:[ \n]chmod 600 \S+$/s);
  expect(text).not.toMatch(/`|rotavox [a-z]|undefined|null|NaN|--[a-z]|_/);
  expect(text).not.toMatch(/ {2}|\.\.(?!\.)/);
}
