import { Card } from '../kit/card.tsx';
import { CommandLine } from '../kit/command-line.tsx';
import styles from './first-steps.module.css';

/** What to do while there is no token: issue one, and let an app rotate it by itself. */
export function FirstSteps({ baseUrl }: { baseUrl: string }) {
  return (
    <Card title="Issue your first token">
      <ol className={styles['steps']}>
        <li className={styles['step']}>
          <p>
            Issue a token that is valid for 7 days. Its value is shown once; keep it as <code>TOKEN</code>.
          </p>
          <CommandLine
            line="rotavox token issue --name my-app --validity 7"
            what="the command that issues a token"
          />
        </li>
        <li className={styles['step']}>
          <p>Before it ends, the app that uses it swaps it for a new one, by itself:</p>
          <CommandLine
            line={`curl -X POST ${baseUrl}/v1/auth/rotate -H "Authorization: Bearer $TOKEN"`}
            what="the command that rotates a token"
          />
        </li>
      </ol>
      <p className={styles['aside']}>
        In a checkout, write <code>npm run --silent rotavox --</code> instead of <code>rotavox</code>.
      </p>
    </Card>
  );
}
