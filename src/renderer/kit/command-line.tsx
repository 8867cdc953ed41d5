import { Fragment } from 'react';
import styles from './copy-button.module.css';
import { CopyButton } from './copy-button.tsx';
import { useLive } from './live/use-live.ts';
import { portalStatus } from './live/resource.ts';

/** A line to type, with a button that copies exactly it. It wraps between words, never inside `--an-option`. */
export function CommandLine({ line, what }: { line: string; what: string }) {
  return (
    <div className={styles['box']}>
      <code className={styles['code']}>
        {line.split(' ').map((word, index) => (
          <Fragment key={index}>
            {index === 0 ? null : ' '}
            <span className={styles['word']}>
              <Word word={word} />
            </span>
          </Fragment>
        ))}
      </code>
      <CopyButton text={line} what={what} />
    </div>
  );
}

/**
 * A word, which is broken where it is longer than a line: in a path of Windows after a separator. A quotation mark at its end stays with
 * the character before it.
 */
function Word({ word }: { word: string }) {
  const [, start = word, end = ''] = /^(.*)([^\\]")$/.exec(word) ?? [];
  const parts = start.split(/(?<=\\)/);
  return (
    <>
      {parts.map((part, place) => (
        <Fragment key={place}>
          {place === 0 ? null : <wbr />}
          {part}
        </Fragment>
      ))}
      {end === '' ? null : <span className={styles['end']}>{end}</span>}
    </>
  );
}

/** Lines for a program, with a button that copies exactly them. Long ones wrap: nothing has to be scrolled sideways. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className={styles['box']}>
      <pre className={styles['code']}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}

/** How the command line is called on this machine; null where there is none, and while that is not known yet. */
export function useCommandLine(): string | null {
  return useLive(portalStatus).known?.value.command_line ?? null;
}

/** A text with the parts in backticks as code. */
export function CodeText({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, place) =>
      place % 2 === 0 ? <Fragment key={place}>{part}</Fragment> : <code key={place}>{part}</code>,
    );
}
