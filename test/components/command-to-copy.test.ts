import { expect } from '@playwright/test';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { cannedStatus, test } from './canned-service.ts';

const program = String.raw`"C:\Users\Ada Lovelace\AppData\Local\Programs\Rotavox\resources\bin\rotavox.exe"`;
const line = `${program} token issue --name my-app --validity 7`;
const replies = {
  '/portal/status': { ...cannedStatus, command_line: program },
  '/portal/tokens': { tokens: [], next_after: null, total: 0 },
  '/portal/tokens/facets': { statuses: cannedStatus.tokens, categories: [] },
};

test('a command with a path of Windows breaks after a separator, and never before a quotation mark', async ({
  view,
  show,
}) => {
  const { page } = view;
  await show('/tokens', replies);
  for (const width of [320, 400, 480, 560]) {
    await page.setViewportSize({ width, height: 720 });
    const command = page.locator('code').filter({ hasText: 'rotavox.exe' });
    await expect(command).toHaveText(line);
    // As it is drawn: a character that is lower than the one before it begins a line.
    const lines = await command.evaluate((code) => {
      const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      const drawn: string[] = [];
      let top = -Infinity;
      while (walker.nextNode()) {
        const node = walker.currentNode as Text;
        for (let at = 0; at < node.data.length; at += 1) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const box = range.getBoundingClientRect();
          if (box.height > 0 && box.top > top + 5) {
            drawn.push('');
            top = box.top;
          }
          drawn.push(`${drawn.pop() ?? ''}${node.data[at]}`);
        }
      }
      return drawn.map((one) => one.trim()).filter((one) => one !== '');
    });
    expect(lines.length, `at ${width} pixels`).toBeGreaterThan(1);
    // Where each line but the last ends in what is typed.
    let end = 0;
    for (const drawn of lines.slice(0, -1)) {
      end = line.indexOf(drawn, end) + drawn.length;
      expect(line.slice(end - 1, end + 1), lines.join('\n')).toMatch(/^\\[^"]$|^.? $/);
    }
  }
  await expectGoodView(view);
});
