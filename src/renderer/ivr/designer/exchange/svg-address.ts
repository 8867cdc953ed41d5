/** An address under which an image element shows an SVG, without anything to take back. */
export function svgAddress(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
