import styles from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

/** Lines for a program, with a button that copies exactly them. Long ones wrap: nothing has to be scrolled sideways. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <div className={styles['block']}>
      <pre className={styles['text']}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
