const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** An instant to the second in the person's own words and zone, with its ISO form: what a hover shows. */
export function exactInstant(at: string): string {
  const instant = new Date(at);
  return Number.isNaN(instant.getTime()) ? at : `${exact.format(instant)}\n${at}`;
}
