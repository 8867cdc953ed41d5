/**
 * Takes out what is lower than an edge, as a telephone line does: a Butterworth filter of the second order.
 *
 * The coefficients are those of the bilinear transform with prewarping, as in the W3C's "Audio EQ Cookbook".
 */
export function highPass(samples: Float32Array, rate: number, edgeHz: number): Float32Array {
  const angle = (2 * Math.PI * edgeHz) / rate;
  const alpha = Math.sin(angle) / Math.SQRT2;
  const cosine = Math.cos(angle);
  const scale = 1 + alpha;
  const [b0, b1] = [(1 + cosine) / 2 / scale, -(1 + cosine) / scale];
  const [a1, a2] = [(-2 * cosine) / scale, (1 - alpha) / scale];
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return samples.map((x) => {
    const y = b0 * x + b1 * x1 + b0 * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
}
