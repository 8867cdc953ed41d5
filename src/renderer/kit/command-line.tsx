import { Fragment } from 'react';
import styles from './copy-button.module.css';
import { CopyButton } from './copy-button.tsx';
import { useLive } from './live/use-live.ts';
import { portalStatus } from './live/window-status.ts';

/** A line to type, with a button that copies exactly it. It wraps between words only, never inside `--an-option`. */
export function CommandLine({ line, what }: { line: string; what: string }) {
  return (
    <div className={styles['box']}>
      <code className={styles['code']}>
        {line.split(' ').map((word, index) => (
          <Fragment key={index}>
            {index === 0 ? null : ' '}
            <span className={styles['word']}>{word}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton text={line} what={what} />
    </div>
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

/** A path that breaks its line after a separator, so that a name stays in one piece where it can. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=[/\\])/).map((part, place) => (
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));
}
