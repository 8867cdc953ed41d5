import type { Page } from '@playwright/test';
import type { Lifeline } from '../../../src/contract/lifeline.ts';

/** The simplest page with the same picture: all rows, with a rectangle for every lifetime and every planned rotation. */
export async function openDrawnRows(page: Page, { now, rows }: Lifeline): Promise<void> {
  const startSeconds = Date.parse(now) / 1000 - 90 * 86_400;
  const xOf = (seconds: number): string => (((seconds - startSeconds) / 86_400) * 32).toFixed(1);
  const drawn = rows.map((row) => {
    const lives = row.generations.map(
      ([from, until]) =>
        `<rect x="${xOf(from)}" y="17" width="${(Number(xOf(until)) - Number(xOf(from))).toFixed(1)}" height="14" />`,
    );
    const marks =
      row.kind === 'credential' ? row.planned.map((at) => `<circle cx="${xOf(at)}" cy="24" r="4" />`) : [];
    return `<div><b>${row.name}</b><svg width="5800" height="48">${lives.join('')}${marks.join('')}</svg></div>`;
  });
  await page.setContent(
    `<title>rows</title><style>
      #list { height: 500px; overflow: auto } #list div { display: flex; width: 6040px; height: 48px }
      #list b { position: sticky; left: 0; flex: none; width: 240px; background: white } rect { fill: grey }
    </style><div id="list">${drawn.join('')}</div>`,
  );
}
