import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** The classes that a component names and its style sheet does not have: the type of a style sheet allows every name. */
function missingClasses(code: string, readSheet: (path: string) => string): string[] {
  return [...code.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].flatMap(([, sheet, path]) => {
    const rules = readSheet(path!);
    return [...code.matchAll(new RegExp(`\\b${sheet}\\['(\\w+)'\\]`, 'g'))]
      .map(([, name]) => name!)
      .filter((name) => !new RegExp(`\\.${name}\\b`).test(rules));
  });
}

test('every class that a window names is in its style sheet', () => {
  const components = globSync('src/renderer/**/*.tsx', { cwd: root });
  expect(components.length).toBeGreaterThan(100);
  const missing = components.flatMap((file) => {
    const read = (path: string): string => readFileSync(join(root, dirname(file), path), 'utf8');
    return missingClasses(readFileSync(join(root, file), 'utf8'), read).map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('a class that was removed from its style sheet is found', () => {
  const code = "import styles from './a.module.css';\nstyles['kept']; styles['gone'];";
  expect(missingClasses(code, () => '.kept {}\n.goneToo {}')).toEqual(['gone']);
});
