/**
 * The samples in a second that a WAV file says it has, or null when it is none.
 *
 * A browser decodes to whatever rate it is asked for: knowing the file's own keeps its samples as they are.
 */
export function wavRate(bytes: ArrayBuffer): number | null {
  const view = new DataView(bytes);
  if (bytes.byteLength < 12 || tagAt(view, 0) !== 'RIFF' || tagAt(view, 8) !== 'WAVE') return null;
  for (let place = 12; place + 8 <= bytes.byteLength;) {
    const size = view.getUint32(place + 4, true);
    if (tagAt(view, place) === 'fmt ')
      return place + 16 <= bytes.byteLength ? view.getUint32(place + 12, true) : null;
    place += 8 + size + (size % 2); // chunks begin at even places
  }
  return null;
}

function tagAt(view: DataView, place: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((letter) => view.getUint8(place + letter)));
}
