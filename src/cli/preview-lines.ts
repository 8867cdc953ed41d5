import type { DeliveryPreview } from '../contract/credential-checks.ts';

/** What a delivery would change, line by line: the place, then what goes (-) and what comes (+). */
export function previewLines({ place, lines }: DeliveryPreview): string[] {
  return [
    place,
    ...lines.flatMap(({ number, before, after }) => {
      const at = number === null ? '' : `line ${number}: `;
      return [
        ...(before === null ? [] : [`- ${at}${before}`]),
        ...(after === null ? [] : [`+ ${at}${after}`]),
      ];
    }),
  ];
}
