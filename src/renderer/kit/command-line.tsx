import { Fragment } from 'react';

import { CopyButton } from './copy-button.tsx';
import styles from './command-line.module.css';

/** A line to type, with a button that copies exactly it. It wraps between words only, never inside `--an-option`. */
export function CommandLine({ line, what }: { line: string; what: string }) {
  return (
    <div className={styles['line']}>
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
