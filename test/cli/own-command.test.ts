import { expect, it } from 'vitest';
import { asCalledHere } from '../../src/cli/own-command.ts';
import { commandLineOf } from '../../src/host/command-line.ts';
import { checkoutDir } from '../../src/launcher/checkout.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { spawnSync } from 'node:child_process';

const own = commandLineOf(checkoutDir) ?? '';

it('commands in our texts are shown as they are called here, other words as they are', () => {
  expect(own).toContain('run --silent rotavox --');
  expect(asCalledHere('Start it with `rotavox serve`.')).toBe(`Start it with \`${own} serve\`.`);
  expect(asCalledHere('To do: rotavox status')).toBe(`To do: ${own} status`);
  expect(asCalledHere('To do    rotavox status')).toBe(`To do    ${own} status`);
  expect(asCalledHere('  $ curl "$(rotavox get pbx)"\n  $ rotavox get pbx')).toBe(
    `  $ curl "$(${own} get pbx)"\n  $ ${own} get pbx`,
  );
  for (const text of ['Usage: rotavox get', 'rotavox failed', 'the folder /srv/rotavox data', 'rotavox-ivr'])
    expect(asCalledHere(text)).toBe(text);
});

it('help and errors of a checkout name commands that work as pasted', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [builtFile('cli/index.js'), ...args], { encoding: 'utf8' });
  expect(run('get', '--help').stdout).toContain(`$ ${own} get pbx`);
  expect(run('status', '--data-dir', '/nowhere').stderr).toContain(`\`${own} serve\``);
});
