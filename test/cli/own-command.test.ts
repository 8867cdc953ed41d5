import { expect, it } from 'vitest';
import { asCalledHere } from '../../src/cli/own-command.ts';
import { commandLineOf } from '../../src/host/command-line.ts';
import { checkoutDir } from '../../src/launcher/checkout.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { spawnSync } from 'node:child_process';

const run = (...args: string[]) => spawnSync(builtFile('rotavox'), args, { encoding: 'utf8' });

const own = "node '/opt/rotavox/out/cli/index.js'";

it('commands in our texts are shown as they are called here, other words as they are', () => {
  expect(asCalledHere('Start it with `rotavox serve`.', own)).toBe(`Start it with \`${own} serve\`.`);
  expect(asCalledHere('To do: rotavox status', own)).toBe(`To do: ${own} status`);
  expect(asCalledHere('To do    rotavox status', own)).toBe(`To do    ${own} status`);
  expect(asCalledHere('  $ curl "$(rotavox get pbx)"\n  $ rotavox get pbx', own)).toBe(
    `  $ curl "$(${own} get pbx)"\n  $ ${own} get pbx`,
  );
  for (const text of ['Usage: rotavox get', 'rotavox failed', 'the folder /srv/rotavox data', 'rotavox-ivr'])
    expect(asCalledHere(text, own)).toBe(text);
});

it('errors of a checkout name the command that its build has written', () => {
  expect(commandLineOf(checkoutDir)).toBe('rotavox');
  expect(run('status', '--data-dir', '/nowhere').stderr).toContain('`rotavox serve`');
});

it('so does the help of a checkout', { tags: ['long'] }, () => {
  expect(run('get', '--help').stdout).toContain('$ rotavox get pbx');
});
