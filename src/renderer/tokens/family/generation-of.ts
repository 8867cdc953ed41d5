/** The generation that a token's id names: `tok_<family>_<generation>`. */
export function generationOf(tokenId: string): string {
  return tokenId.slice(tokenId.lastIndexOf('_') + 1);
}
