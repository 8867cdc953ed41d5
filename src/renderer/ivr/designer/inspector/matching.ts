/** Something that can be chosen from a directory. */
export interface Offer {
  /** What is written into the document. */
  readonly value: string;
  /** What a person knows it by. */
  readonly name: string;
  /** What stands beside the name in the list; the value, unless it says nothing to a person. */
  readonly note?: string;
}

/** How many are offered at once: more is not read, and would only cost time with a directory of thousands. */
export const mostOffers = 50;

/** The offers whose id or name has the text in it; those that begin with it first. */
export function matching(offers: readonly Offer[], text: string, most = mostOffers): readonly Offer[] {
  const wanted = text.trim().toLocaleLowerCase();
  const first: Offer[] = [];
  const others: Offer[] = [];
  for (const offer of offers) {
    const [value, name] = [offer.value.toLocaleLowerCase(), offer.name.toLocaleLowerCase()];
    if (value.startsWith(wanted) || name.startsWith(wanted)) first.push(offer);
    else if (value.includes(wanted) || name.includes(wanted)) others.push(offer);
    if (first.length >= most) break;
  }
  return [...first, ...others].slice(0, most);
}
