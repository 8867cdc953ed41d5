/** Twice as many pixels as on the screen, for print; fewer if the picture would be larger than a canvas can be. */
const usualScale = 2;
const mostPixels = 8_000;

/** Converts an SVG to a PNG. Rejects if this browser cannot. */
export async function drawPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = svgAddress(svg);
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(usualScale, mostPixels / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((png) => {
      if (png === null) reject(new Error('toBlob returned nothing'));
      else resolve(png);
    }, 'image/png');
  });
}

/** A data address under which an image element shows an SVG. */
export function svgAddress(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
