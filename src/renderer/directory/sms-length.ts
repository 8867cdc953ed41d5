/** How long a text message is, as it is sent and paid for. */
export interface SmsLength {
  readonly coding: 'GSM-7' | 'UCS-2';
  /** Septets or UTF-16 units. */
  readonly units: number;
  /** Messages that it is sent as; none for an empty text. */
  readonly segments: number;
  /** Units that the last of them still has room for. */
  readonly left: number;
  /** The first character that GSM-7 has not, which makes all of it UCS-2; null when there is none. */
  readonly culprit: string | null;
}

/** The basic alphabet of GSM 03.38 (3GPP TS 23.038, 6.2.1), without its escape. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Its extension: each is written as an escape and a second septet. */
const extended = new Set('\f^{}\\[~]|€');

/** How many units a character of GSM-7 takes. */
function septets(character: string): number {
  return extended.has(character) ? 2 : 1;
}

/** What one message holds, alone and as a part of several, where six bytes of each say which part it is. */
const room = {
  'GSM-7': { alone: 160, part: 153 },
  'UCS-2': { alone: 70, part: 67 },
} as const;

/**
 * Counts a text as a telephone network does.
 *
 * One character outside of GSM-7 makes all of it UCS-2, with less than half the room. A character of two units (`€`, an
 * emoji) is never cut in two: where only one unit is left, the next message begins.
 */
export function smsLength(text: string): SmsLength {
  const characters = Array.from(text); // whole code points
  const culprit = characters.find((one) => !basic.has(one) && !extended.has(one)) ?? null;
  const coding = culprit === null ? 'GSM-7' : 'UCS-2';
  const sizes = characters.map((one) => (coding === 'UCS-2' ? one.length : septets(one)));
  const units = sizes.reduce((sum, size) => sum + size, 0);
  const { alone, part } = room[coding];
  if (units <= alone) return { coding, units, segments: units === 0 ? 0 : 1, left: alone - units, culprit };
  let segments = 1;
  let left: number = part;
  for (const size of sizes) {
    if (size > left) {
      segments += 1;
      left = part;
    }
    left -= size;
  }
  return { coding, units, segments, left, culprit };
}
