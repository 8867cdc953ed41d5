import type { Page } from '@playwright/test';

/** The simplest page with the same rows: all of them drawn, and a field that hides rows without the typed text. */
export async function openStaticRows(page: Page, rows: readonly string[]): Promise<void> {
  await page.setContent(
    `<title>rows</title><style>#list { height: 500px; overflow: auto } #list div { height: 56px }</style>
    <input id="field"><p id="count"></p><div id="list">${rows.map((row) => `<div>${row}</div>`).join('')}</div>`,
  );
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('#field');
    const list = document.querySelectorAll<HTMLElement>('#list div');
    const texts = Array.from(list, ({ textContent }) => textContent.toUpperCase());
    field?.addEventListener('input', () => {
      const sought = field.value.toUpperCase();
      let count = 0;
      for (const [place, row] of list.entries()) {
        const isFound = texts[place]?.includes(sought) ?? false;
        row.hidden = !isFound;
        if (isFound) count += 1;
      }
      const words = document.querySelector('#count');
      if (words !== null) words.textContent = String(count);
    });
  });
}
