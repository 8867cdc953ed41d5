import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { CommandLine } from '../kit/command-line.tsx';
import { Step, Steps } from '../kit/steps.tsx';
import styles from './first-steps.module.css';

/** What to do while there is no token: issue one, and let an app rotate it by itself. */
export function FirstSteps({
  baseUrl,
  issueRef,
  onIssue,
}: {
  baseUrl: string;
  issueRef: React.Ref<HTMLButtonElement>;
  onIssue: () => void;
}) {
  return (
    <Card title="Issue your first token">
      <Steps>
        <Step>
          <p>
            Issue a token. Its value is shown once; keep it as <code>TOKEN</code>.
          </p>
          <div>
            <Button rank="main" ref={issueRef} onPress={onIssue}>
              Issue a token…
            </Button>
          </div>
          <p>Or on the command line, valid for 7 days:</p>
          <CommandLine
            line="rotavox token issue --name my-app --validity 7"
            what="the command that issues a token"
          />
        </Step>
        <Step>
          <p>Before it ends, the app that uses it swaps it for a new one, by itself:</p>
          <CommandLine
            line={`curl -X POST ${baseUrl}/v1/auth/rotate -H "Authorization: Bearer $TOKEN"`}
            what="the command that rotates a token"
          />
        </Step>
      </Steps>
      <p className={styles['aside']}>
        In a checkout, write <code>npm run --silent rotavox --</code> instead of <code>rotavox</code>.
      </p>
    </Card>
  );
}
