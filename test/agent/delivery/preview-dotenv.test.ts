import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { previewDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { anyDotenv, anyDotenvWithout } from './dotenv-files.ts';
import { makeContext, old, preview, previewIn, problemOf, value } from './preview-setup.ts';

function makeDotenv(content: string, mode = 0o600): { folder: string; path: string } {
  const folder = makeFolder();
  const path = join(folder, '.env');
  writeFileSync(path, content, 'latin1');
  chmodSync(path, mode);
  return { folder, path };
}

const targetAt = (path: string) => ({ kind: 'dotenv', path, variable: 'API_TOKEN' }) as const;

describe('the preview of a dotenv target', () => {
  it('shows the one line that changes, masked, and says what stays', async () => {
    const { folder, path } = makeDotenv(
      `SECRET=${old}\nexport API_TOKEN="${old}" # was ${old}\nB=${old}\n`,
      0o640,
    );
    expect(await previewIn(folder, targetAt(path))).toEqual({
      possible: true,
      findings: [
        { code: 'variable_changed', place: path, variable: 'API_TOKEN', lines: [2], changed: [2] },
        { code: 'line_keeps', quote: '"', parts: ['export', 'quotes', 'comment'] },
        { code: 'rest_unchanged' },
        { code: 'mode_kept', mode: '640' },
        { code: 'readable_by_others', place: path },
      ],
      place: path,
      exists: true,
      lines: [{ number: 2, before: 'export API_TOKEN="••••••" # …', after: 'export API_TOKEN="••••••" # …' }],
    });
  });

  it('says which line takes effect when the variable is set more than once', async () => {
    const { folder, path } = makeDotenv(`API_TOKEN=${old}\nA=1\nAPI_TOKEN=\n`);
    const found = await previewIn(folder, targetAt(path));
    expect(found.findings[0]).toMatchObject({ code: 'variable_changed', lines: [1, 3], changed: [1, 3] });
    expect(found.lines).toEqual([
      { number: 1, before: 'API_TOKEN=••••••', after: 'API_TOKEN=••••••' },
      { number: 3, before: 'API_TOKEN=', after: 'API_TOKEN=••••••' },
    ]);
  });

  it('changes only what has not got the token already', async () => {
    const { folder, path } = makeDotenv(`API_TOKEN=${old}\nAPI_TOKEN=${value}\n`);
    const found = await previewIn(folder, targetAt(path));
    expect(found.findings[0]).toMatchObject({ code: 'variable_changed', lines: [1, 2], changed: [1] });
    expect(found.lines.map(({ number }) => number)).toEqual([1]);
  });

  it('says that the target already has the token', async () => {
    const { folder, path } = makeDotenv(`A=1\nAPI_TOKEN='${value}'\n`);
    const found = await previewIn(folder, targetAt(path));
    expect(found).toMatchObject({ possible: true, exists: true, lines: [] });
    expect(found.findings).toEqual([
      { code: 'variable_unchanged', place: path, variable: 'API_TOKEN', lines: [2] },
      { code: 'mode_kept', mode: '600' },
    ]);
  });

  it.each([
    ['A=1\n', 2, false],
    ['A=1', 2, true],
    ['', 1, false],
  ])(
    'of a file without the variable names the line that is added: %j',
    async (content, number, needsLineBreak) => {
      const { folder, path } = makeDotenv(content);
      const found = await previewIn(folder, targetAt(path));
      expect(found.findings[0]).toEqual({
        code: 'variable_added',
        place: path,
        variable: 'API_TOKEN',
        lines: [number],
        needsLineBreak,
      });
      expect(found.lines).toEqual([{ number, before: null, after: 'API_TOKEN=••••••' }]);
    },
  );

  it('of a missing file says that it will be created', async () => {
    const folder = makeFolder();
    const path = join(folder, '.env');
    expect(await previewIn(folder, targetAt(path))).toEqual({
      possible: true,
      findings: [{ code: 'variable_created', place: path, variable: 'API_TOKEN' }],
      place: path,
      exists: false,
      lines: [{ number: 1, before: null, after: 'API_TOKEN=••••••' }],
    });
  });

  it('says where a link leads', async () => {
    const { folder, path } = makeDotenv(`API_TOKEN=${old}\n`);
    const link = join(folder, 'link');
    symlinkSync('.env', link);
    const found = await previewIn(folder, targetAt(link));
    expect(found).toMatchObject({ possible: true, place: path, exists: true });
    expect(found.findings).toContainEqual({ code: 'through_link', path: link });
  });

  it('says that a previous token has several lines, and that the new one needs other quotes', async () => {
    const { folder, path } = makeDotenv(`API_TOKEN="a\n${old}\nc"\n`);
    const { findings } = await previewIn(folder, targetAt(path));
    expect(findings).toContainEqual({ code: 'lines_joined', line: 1, lineCount: 3 });
    const bare = makeDotenv(`API_TOKEN=${old}\n`).path;
    const quoted = await previewDelivery(targetAt(bare), `${value}~`, makeContext());
    expect(quoted.findings).toContainEqual({ code: 'line_gets_quotes', quote: "'" });
    expect(quoted.lines).toEqual([{ number: 1, before: 'API_TOKEN=••••••', after: "API_TOKEN='••••••'" }]);
  });

  it('gives the reason of the delivery when it is impossible', async () => {
    const folder = makeFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const utf16 = join(folder, 'utf16');
    writeFileSync(utf16, Buffer.from('API_TOKEN=x\n', 'utf16le'));
    const entangled = join(folder, 'entangled');
    writeFileSync(entangled, "NOTE='tis open\nAPI_TOKEN='old'\n");
    for (const [path, exists] of [
      [folder, true],
      [join(folder, 'missing', '.env'), false],
      [join(file, '.env'), false],
      [utf16, true],
      ['C:\\.env', false],
    ] as const) {
      const found = await previewIn(folder, targetAt(path));
      expect(found).toMatchObject({ possible: false, place: path, exists, lines: [] });
      const problem = problemOf(await deliver(targetAt(path), value, makeContext()));
      expect(problem).not.toBeNull();
      expect(found.findings).toEqual([{ code: 'impossible', problem }]);
    }
  });

  it(
    'is what the delivery then does: exactly these lines change, in any file',
    { tags: ['long'] },
    async () => {
      const folder = makeFolder();
      const path = join(folder, '.env');
      const target = { kind: 'dotenv', path, variable: 'T' } as const;
      const anyFile = fc.oneof(
        anyDotenv.map(({ pieces, old: values }) =>
          // Values on one line, so that every line keeps its number.
          pieces.reduce(
            (text, piece, index) => text + (values[index - 1] ?? '').replace(/[\r\n]+/g, '') + piece,
          ),
        ),
        anyDotenvWithout,
      );
      await fc.assert(
        fc.asyncProperty(anyFile, async (text) => {
          writeFileSync(path, text, 'latin1');
          const { lines, possible } = await preview(target);
          expect(readFileSync(path, 'latin1')).toBe(text);
          const delivered = await deliver(target, value, makeContext());
          expect(delivered.ok).toBe(possible);
          const [before, after] = [text, readFileSync(path, 'latin1')].map((one) => one.split(/\r\n|\n/));
          const differing = (after ?? []).flatMap((line, index) => {
            const isEnd = line === '' && before?.[index] === undefined;
            return line === before?.[index] || isEnd ? [] : [index + 1];
          });
          expect(lines.map(({ number }) => number)).toEqual(differing);
        }),
        { numRuns: 150 },
      );
    },
  );
});
