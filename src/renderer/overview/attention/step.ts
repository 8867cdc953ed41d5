/** Something to do about what needs the owner: go where it is done, or do it at once. */
export type Step =
  | { readonly kind: 'go'; readonly to: string; readonly words: string }
  | { readonly kind: 'rotate'; readonly name: string; readonly words: string }
  | { readonly kind: 'resume'; readonly name: string }
  | { readonly kind: 'resume-token'; readonly name: string; readonly tokenId: string }
  | { readonly kind: 'deliver'; readonly name: string; readonly targetId: string };
