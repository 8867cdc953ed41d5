import { Fragment } from 'react';

import { sentenceParts } from './service-sentence.ts';
import { useCommandLine } from './command-line.tsx';

/** What the service said, as it is said in a window: commands set apart, and called as they are called here. */
export function ServiceWords({ said }: { said: string }) {
  const commandLine = useCommandLine();
  return sentenceParts(said, commandLine).map(({ kind, text }, place) =>
    kind === 'command' ? <code key={place}>{text}</code> : <Fragment key={place}>{text}</Fragment>,
  );
}
