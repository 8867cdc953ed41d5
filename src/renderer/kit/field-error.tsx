import styles from './field.module.css';
import { Icon } from './icon.tsx';

/** What is wrong with a field; read out when it appears. Its place is always there, or that could not be heard. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    <p id={id} className={styles['error']} aria-live="polite">
      {error === undefined ? null : (
        <>
          <Icon name="alert" />
          <span>{error}</span>
        </>
      )}
    </p>
  );
}
