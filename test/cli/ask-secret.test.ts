import { describe, expect, it } from 'vitest';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { StandInService } from './stand-in-service.ts';

describe.skipIf(!hasTerminals)('a secret that is asked for on a terminal', () => {
  it('is read without being shown, up to the line break', async () => {
    const service = await StandInService.start();
    const terminal = inTerminal(shellLine(['credential', 'add', 'pbx']), service.dataDir);
    await terminal.shows('Token for pbx (not shown');
    terminal.type('rvx_typo');
    terminal.type('\u007f\u007fed_value\r');
    expect(await terminal.ended).toBe(0);
    expect(service.calls).toEqual([
      { call: 'POST /portal/credentials', body: { name: 'pbx', value: 'rvx_tyed_value' } },
    ]);
    expect(terminal.screen()).toContain('pbx is added.');
    expect(terminal.screen()).not.toMatch(/rvx_|value\r/);
  });

  for (const [what, keys, tags] of [
    ['an empty line', '\r', []],
    ['the end of the input', '\u0004', ['long']],
  ] as const)
    it(`is refused when it is ${what}`, { tags: [...tags] }, async () => {
      const service = await StandInService.start();
      const terminal = inTerminal(shellLine(['credential', 'replace', 'pbx']), service.dataDir);
      await terminal.shows('Token for pbx (not shown');
      terminal.type(keys);
      expect(await terminal.ended).toBe(2);
      expect(terminal.screen()).toContain('No token was entered for pbx');
      expect(service.calls).toEqual([]);
    });

  for (const [what, keys, tags] of [
    ['Ctrl-C', '\u0003', []],
    ['a line', 'rvx_abc\r', ['long']],
  ] as const)
    it(`leaves the terminal as it was after ${what}`, { tags: [...tags] }, async () => {
      const service = await StandInService.start();
      const command = shellLine(['credential', 'add', 'pbx']);
      const terminal = inTerminal(
        `trap : INT; echo "before $(stty -g)"; ${command}; echo "ended $?"; echo "after $(stty -g)"`,
        service.dataDir,
      );
      await terminal.shows('Token for pbx (not shown');
      terminal.type(keys);
      await terminal.ended;
      const [, before] = /before (\S+)/.exec(terminal.screen()) ?? [];
      const [, after] = /after (\S+)/.exec(terminal.screen()) ?? [];
      expect(before).toMatch(/^[\da-f:]+$/);
      expect(after).toBe(before);
      expect(terminal.screen()).toContain(`ended ${keys === '\u0003' ? '130' : '0'}`);
    });
});
