import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSentences, sentencesIn } from './find-sentences.ts';

/** Files and folders below `src` with texts that are not for people, or not in our words. */
const exempt: Readonly<Record<string, string>> = {
  'agent/delivery/delivery-outcome.ts': 'for a stack trace; people read its code',
  'agent/delivery/setting/setting-source.ts': 'for a stack trace; people read its code',
  'agent/vault/call-queue.ts': 'for a stack trace; people read its code',
  'agent/vault/keychain-vault.ts': 'the content of a keychain entry, which is compared with it',
  'agent/vault/vault-file.ts': 'a line of the file, which is part of its format',
  'calls/record-file.ts': 'SQL',
  'calls/record-table.ts': 'SQL',
  'cli/completion-scripts.ts': 'programs for shells',
  'cli/connect/tool-protocols.ts': 'what clients of the protocol compare with',
  'cli/service-definition.ts': 'files for systemd, launchd and Windows; their words are part of their format',
  'host/tool-launchers.ts': 'a script of sh with its comment',
  'core/calls/asterisk-lines.ts': 'lines of files of Asterisk; comments and placeholders are part of them',
  'core/proxy/rule-limits.ts': 'words that parts of a path are compared with',
  'core/recording/wav.ts': 'the message of a bug',
  'core/unreachable.ts': 'the message of a bug',
  'core/vault.ts': 'for a stack trace; people read its code',
  'core/ivr/export/asterisk-dialplan.ts':
    'a file for Asterisk; its comments are part of its syntax and name its applications',
  'core/ivr/export/freeswitch-menus.ts':
    'a file for FreeSWITCH; its comments are part of its syntax and name its applications',
  'core/ivr/export/svg-picture.ts': 'SVG; its words are given to it',
  'core/speech/tag-text.ts': 'tags of spoken texts',
  'host/ask-session-bus.ts': 'a program for a shell',
  'main/restart-guard.ts': 'a program for a shell',
  'main/team/problem-page.ts': 'HTML; its words are given to it',
  'main/updates/feed-source.ts': 'for a stack trace; people read its code',
  'renderer/credentials/proxy/app-dialog.tsx': 'programs and commands',
  'renderer/ivr/designer/exchange/draw-png.ts': 'the message of a bug',
  'renderer/ivr/designer/window/top-bar.tsx': 'the names of keys',
  'renderer/kit/live/change-stream.ts': 'for a stack trace; the stream is opened again',
  'renderer/main.tsx': 'the message of a bug',
  'renderer/recordings/microphone/start-capture.ts': 'the name of an error',
  'renderer/recordings/sound/': 'for a stack trace; another reader is tried',
  'service/docs/': 'the HTML of the API documentation and the descriptions of the API, which belong to it',
  'service/proxy/outgoing-request.ts': 'the names of headers',
  'service/proxy/search-answer.ts': 'patterns of tokens',
  'service/secrets/sealed-reply.ts': 'what a key is derived for',
  'service/http/security-headers.ts': 'header values',
  'speech/pico-worker.ts': 'a tag for Pico',
  'speech/windows-program.ts': 'a program for PowerShell',
  'store/team/': 'SQL',
};

const found = findSentences(join(import.meta.dirname, '../../src'));
const textsBelow = (place: string) => found.filter(({ file }) => file.startsWith(place));

describe('sentences for people', () => {
  it('stand in src/text and in the words of a provider, and nowhere else', () => {
    const elsewhere = found.filter(
      ({ file }) => !Object.keys(exempt).some((place) => file.startsWith(place)),
    );
    expect(elsewhere.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
  });

  it.each(Object.keys(exempt))('are still in %s, which is exempt', (place) => {
    expect(textsBelow(place), 'delete the entry').not.toEqual([]);
  });
});

describe('the search for sentences', () => {
  it.each([
    ['a string', `refuse('There is no token with this id.');`],
    ['a template', 'say(`Token ${name} has expired now`);'],
    ['a template without places', 'say(`The token has expired`);'],
    ['a part of a longer string', `say('Token ' + 'is no longer valid here');`],
    ['the message of an error', `throw new Error('The service ended the stream.');`],
    ['a value of an object', `const words = { empty: 'No tokens yet today.' };`],
    ['a word between tags', 'const view = <p>Tokens</p>;'],
    ['a label', 'const view = <Field label="Name" />;'],
    ['a label in braces', `const view = <Field label={'Name'} />;`],
    ['a label with places', 'const view = <Field aria-label={`Key ${key}`} />;'],
    ['a placeholder', 'const view = <input placeholder="a@b" />;'],
    ['a sentence in an attribute of our own', 'const view = <Card empty="No tokens yet today." />;'],
    ['a sentence in what fills a template', 'say(`${isOne ? "This token has expired" : ""}!`);'],
  ])('finds %s', (_what, source) => {
    expect(sentencesIn('planted.tsx', source)).toHaveLength(1);
  });

  it.each([
    ['what an assertion states', `invariant(token !== undefined, 'the token was just written');`],
    ['a module', `import { x } from './a b c d.ts';`],
    ['a type', `type Word = 'one two three';`],
    [
      'names and codes',
      `const code = 'token_invalid'; const path = '/portal/tokens/list'; const two = 'max-age=0 none';`,
    ],
    ['an attribute that nobody sees', 'const view = <p className="big">{name}</p>;'],
    ['blank space and signs between tags', 'const view = <p> {name} · {1} </p>;'],
    ['a comment', '// This is what it does here.\nconst one = 1;'],
    ['a command and a key', 'const view = <p><code>rotavox token list now</code><kbd>Esc</kbd></p>;'],
  ])('passes over %s', (_what, source) => {
    expect(sentencesIn('planted.tsx', source)).toEqual([]);
  });

  it('gives the file and the line', () => {
    expect(sentencesIn('core/planted.ts', `const one = 1;\nconst two = 'There are two of them';\n`)).toEqual([
      { file: 'core/planted.ts', line: 2, text: 'There are two of them' },
    ]);
  });
});
