import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { findProgram } from '../../../src/agent/delivery/find-program.ts';
import type { DeliveryTargetOf } from '../../../src/contract/credential/credential.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext } from './make-context.ts';
import { preview, previewIn, problemOf, value } from './preview-setup.ts';

function hook(
  command: string[],
  differences: Partial<DeliveryTargetOf<'hook'>> = {},
): DeliveryTargetOf<'hook'> {
  return { kind: 'hook', command, pass: 'stdin', variable: 'TOKEN', time_limit_seconds: 30, ...differences };
}

/** An executable file, or one that is not. */
function makeProgram(folder: string, name: string, { content = '#!/bin/sh\n', mode = 0o755 } = {}): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode });
  return path;
}

describe.runIf(process.platform !== 'win32')('the preview of a hook', () => {
  it('shows the command and how it gets the token, and runs nothing', async () => {
    const folder = makeFolder();
    const witness = join(folder, 'it-ran');
    const program = makeProgram(folder, 'take', { content: `#!/bin/sh\ntouch ${witness}\n` });
    expect(await previewIn(folder, hook([program, 'a b', '--to=x']))).toEqual({
      possible: true,
      findings: [{ code: 'command_found', program, argumentCount: 2, seconds: 30, variable: null }],
      place: hook([program, 'a b', '--to=x']),
      exists: true,
      lines: [],
    });
    const inVariable = await preview(hook([program], { pass: 'env', time_limit_seconds: 5 }));
    expect(inVariable.findings).toEqual([
      { code: 'command_found', program, argumentCount: 0, seconds: 5, variable: 'TOKEN' },
    ]);
    expect(existsSync(witness)).toBe(false);
  });

  it('names the file that PATH leads to', async () => {
    const found = await preview(hook(['sh', '-c', 'exit']));
    expect(found).toMatchObject({ possible: true, exists: true });
    const path = expect.stringMatching(/^\/.*\/sh$/) as string;
    expect(found.place).toMatchObject({ command: [path, '-c', 'exit'] });
  });

  it('gives the reason of the delivery when it is impossible', async () => {
    const folder = makeFolder();
    const plain = makeProgram(folder, 'plain', { mode: 0o644 });
    const orphan = makeProgram(folder, 'orphan', { content: '#!/no/such/interpreter -x\n' });
    for (const [command, exists] of [
      [[join(folder, 'missing'), 'x'], false],
      [['no-such-program-here'], false],
      [[plain], true],
      [[folder], true],
      [[orphan], false],
    ] as const) {
      const target = hook([...command]);
      const found = await preview(target);
      expect(found, command.join(' ')).toMatchObject({ possible: false, exists, lines: [] });
      const outcome = await deliver(target, value, makeContext());
      expect(outcome, command.join(' ')).toMatchObject({ ok: false });
      expect(found.findings).toEqual([{ code: 'impossible', problem: problemOf(outcome) }]);
    }
  });
});

describe.runIf(process.platform !== 'win32')('finding a program', () => {
  it('takes the first in PATH that may be run', async () => {
    const [first, second, third] = ['a', 'b', 'c'].map((name) => {
      const folder = join(makeFolder(), name);
      mkdirSync(folder);
      return folder;
    }) as [string, string, string];
    makeProgram(first, 'tool', { mode: 0o600 });
    mkdirSync(join(second, 'tool'));
    const env = { PATH: [first, second, third].join(delimiter) };
    expect(await findProgram('tool', env)).toEqual({ ok: false, code: 'EACCES' });
    makeProgram(third, 'tool');
    expect(await findProgram('tool', env)).toEqual({ ok: true, path: join(third, 'tool') });
    expect(await findProgram('other', env)).toEqual({ ok: false, code: 'ENOENT' });
  });

  it('searches like the system without a PATH, and in our own folder for its empty parts', async () => {
    expect(await findProgram('sh', {})).toMatchObject({ ok: true });
    expect(await findProgram('package.json', { PATH: `/nowhere${delimiter}` })).toEqual({
      ok: false,
      code: 'EACCES',
    });
  });
});
