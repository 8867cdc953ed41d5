import { expect, it } from 'vitest';
import { runLauncher } from './run-launcher.ts';

it('npm start explains itself', async () => {
  const { code, stdout } = await runLauncher('start.ts', ['--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('--headless');
});

it('npm start refuses an option it does not know, and shows those it knows', async () => {
  const { code, stderr } = await runLauncher('start.ts', ['--headles']);
  expect(code).toBe(2);
  expect(stderr).toContain("'--headles'");
  expect(stderr).toContain('Usage: npm start');
});
