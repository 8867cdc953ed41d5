import {
  goneOpacity,
  groundBottom,
  groundTop,
  markFullness,
  markUnits,
  sheenOpacity,
  wholeMark,
} from './app-mark.ts';

/** The whole mark as SVG, for windows and web pages: the same measures as the pictures. */
export function appIconSvg(): string {
  const { ground, ring, hub, holes } = wholeMark;
  const middle = markUnits / 2;
  const side = markUnits - 2 * ground.margin;
  const square = `x="${ground.margin}" y="${ground.margin}" width="${side}" height="${side}" rx="${ground.corner}"`;
  const circle = `cx="${middle}" cy="${middle}" r="${ring.radius}" fill="none" stroke="#ffffff"`;
  const around = 2 * Math.PI * ring.radius;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${markUnits} ${markUnits}">
  <defs>
    <linearGradient id="ground" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${hex(groundTop)}" />
      <stop offset="1" stop-color="${hex(groundBottom)}" />
    </linearGradient>
    <linearGradient id="sheen" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#ffffff" stop-opacity="${sheenOpacity}" />
      <stop offset="0.5" stop-color="#ffffff" stop-opacity="0" />
    </linearGradient>
  </defs>
  <rect ${square} fill="url(#ground)" />
  <rect ${square} fill="url(#sheen)" />
  <circle ${circle} stroke-opacity="${goneOpacity}" stroke-width="${ring.stroke}" />
  <circle ${circle} stroke-width="${ring.stroke}" stroke-linecap="round" stroke-dasharray="${(around * markFullness).toFixed(0)} ${around.toFixed(0)}" transform="rotate(-90 ${middle} ${middle})" />
  <g fill="#ffffff">
${holes.map(({ x, y, radius }) => `    <circle cx="${(middle + x).toFixed(1)}" cy="${(middle + y).toFixed(1)}" r="${radius}" />\n`).join('')}    <circle cx="${middle}" cy="${middle}" r="${hub}" />
  </g>
</svg>
`;
}

function hex(colour: readonly number[]): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
