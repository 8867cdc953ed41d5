/** A part of what the service said: words, or a command to type. */
export interface SentencePart {
  readonly kind: 'words' | 'command';
  readonly text: string;
}

/**
 * What the service said, as it is said in a window.
 *
 * Its sentences name commands. One at the end of an instruction (`Issue it again: \`rotavox …\`.`) goes, for a button
 * beside the sentence does the same. Any other is written as the command line is called on this machine; where there is
 * none, its sentence goes.
 */
export function sentenceParts(said: string, commandLine: string | null): SentencePart[] {
  const instructed = said.replace(/: `rotavox [^`]*`(?=[.;]|$)/g, '');
  const told =
    commandLine === null
      ? instructed.replace(/(?:^|(?<=[.!?]) )[^.!?`]*`rotavox [^`]*`[^.!?]*[.!?]/g, '')
      : instructed;
  return told
    .trim()
    .split(/`([^`]*)`/)
    .map((text, place): SentencePart =>
      place % 2 === 0
        ? { kind: 'words', text }
        : { kind: 'command', text: text.replace(/^rotavox(?= |$)/, commandLine ?? 'rotavox') },
    )
    .filter(({ text }) => text !== '');
}

/** The same as plain text, for where nothing can be set apart. */
export function plainSentence(said: string, commandLine: string | null): string {
  return sentenceParts(said, commandLine)
    .map(({ kind, text }) => (kind === 'command' ? `“${text}”` : text))
    .join('');
}
