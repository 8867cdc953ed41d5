import styles from './form-refusal.module.css';
import { Icon } from './icon.tsx';

/** Why what was asked for was not done, read out when it appears. Its place is always there, or it could not be heard. */
export function FormRefusal({ reason }: { reason: string | undefined }) {
  return (
    <div role="alert">
      {reason === undefined ? null : (
        <p className={styles['refusal']}>
          <Icon name="alert" />
          <span>{reason}</span>
        </p>
      )}
    </div>
  );
}
