import { beforeEach, describe, expect, it } from 'vitest';
import { windowCache } from '../../../src/renderer/kit/live/window-cache.ts';
import { portalStatus } from '../../../src/renderer/kit/live/window-status.ts';
import { problemWords } from '../../../src/renderer/kit/problem-words.ts';

function knowCommandLine(commandLine: string | null): void {
  windowCache.setQueryData(portalStatus.key, { value: { command_line: commandLine } });
}

beforeEach(() => {
  windowCache.clear();
});

describe('why a change was not made', () => {
  const refused = { kind: 'refused', reason: 'Nothing was changed. `rotavox status` says why.' } as const;

  it('names commands as they are called on this machine', () => {
    knowCommandLine('npm run rotavox --');
    expect(problemWords(refused)).toBe('Nothing was changed. “npm run rotavox -- status” says why.');
    expect(problemWords({ kind: 'signed-out' })).toContain('“npm run rotavox -- open”');
  });

  it('names none where there is none, or where that is not known', () => {
    expect(problemWords(refused)).toBe('Nothing was changed.');
    knowCommandLine(null);
    expect(problemWords(refused)).toBe('Nothing was changed.');
  });

  it('says what is unknown after an answer that never came', () => {
    const unreachable = { kind: 'unreachable', reason: 'nothing listens' } as const;
    expect(problemWords(unreachable, 'a token was issued')).toBe(
      'The service does not answer: nothing listens. The history shows whether a token was issued.',
    );
    expect(problemWords(unreachable)).toBe('The service does not answer: nothing listens.');
  });
});
