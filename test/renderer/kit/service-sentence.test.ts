import { describe, expect, it } from 'vitest';
import { plainSentence, sentenceParts } from '../../../src/renderer/kit/service-sentence.ts';

const wayOut = 'It expired. Issue it again with the same settings: `rotavox credential reissue app.v2`.';

describe('what the service says, in a window', () => {
  it('loses the command of an instruction, for which there is a button', () => {
    for (const commandLine of ['rotavox', null])
      expect(plainSentence(wayOut, commandLine)).toBe('It expired. Issue it again with the same settings.');
  });

  it('has other commands as they are called on this machine', () => {
    const said = 'Nothing was changed. `rotavox status` says why.';
    expect(sentenceParts(said, 'npm run rotavox --')).toEqual([
      { kind: 'words', text: 'Nothing was changed. ' },
      { kind: 'command', text: 'npm run rotavox -- status' },
      { kind: 'words', text: ' says why.' },
    ]);
  });

  it('leaves a sentence about a command out where there is no command line', () => {
    expect(plainSentence('Nothing was changed. `rotavox status` says why.', null)).toBe(
      'Nothing was changed.',
    );
    expect(
      plainSentence('There is no credential “a.b”. `rotavox credential list` shows the names.', null),
    ).toBe('There is no credential “a.b”.');
  });

  it('leaves everything else as it was said', () => {
    const said = 'Others can read it; `chmod 600` keeps it to its owner. “x: y” (503).';
    expect(
      sentenceParts(said, null)
        .map(({ text }) => text)
        .join(''),
    ).toBe(said.replaceAll('`', ''));
    expect(sentenceParts('', 'rotavox')).toEqual([]);
  });
});
