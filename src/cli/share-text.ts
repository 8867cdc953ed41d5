/** Beyond this a share is no easier to read as a fraction. */
const largestDenominator = 9;

/** The number that `0.5`, `.5` or `2/3` stands for; any other text is left for the schema to refuse. */
export function shareIn(text: string): number | string {
  const [, over, under] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  if (over !== undefined && under !== undefined) return Number(over) / Number(under);
  return /^\d{0,3}\.?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** A number as `shareIn` reads it again: as it is, or as a fraction where that is the shorter word for it. */
export function shareText(share: number): string {
  const decimal = String(share);
  for (let under = 2; under <= largestDenominator; under += 1) {
    const over = Math.round(share * under);
    const fraction = `${over}/${under}`;
    if (over / under === share && fraction.length < decimal.length) return fraction;
  }
  return decimal;
}
