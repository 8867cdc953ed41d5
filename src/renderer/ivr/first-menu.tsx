import { Card } from '../kit/card.tsx';
import { CodeBlock } from '../kit/code-block.tsx';
import { CommandLine } from '../kit/command-line.tsx';
import { Steps, Step } from '../kit/steps.tsx';
import { exampleBody } from './example-body.ts';
import styles from './first-menu.module.css';
import { bodyText } from './request-body.ts';

/** What to do while there is no phone menu: store one, as the owner or as an app. */
export function FirstMenu({ baseUrl }: { baseUrl: string }) {
  return (
    <div className={styles['first']}>
      <Card title="Create your first phone menu">
        <p className={styles['lead']}>
          No phone menu is stored yet. Publish a draft, or store a menu as it is: one JSON body that says what
          the caller hears, where each key leads, and what happens on a wrong key and on silence.
        </p>
        <Steps>
          <Step>
            <p>
              Save this as <code>menu.json</code>, and put your own recordings and extensions in:
            </p>
            <CodeBlock text={bodyText(exampleBody)} what="the body of a menu" />
          </Step>
          <Step>
            <p>Store it. This window shows it at once.</p>
            <CommandLine line="rotavox ivr create menu.json" what="the command that stores a menu" />
          </Step>
        </Steps>
        <p className={styles['or']}>An app does the same with its token:</p>
        <CommandLine
          line={`curl -X POST ${baseUrl}/v1/ivr -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" --data @menu.json`}
          what="the call that stores a menu"
        />
        <p className={styles['aside']}>
          In a checkout, write <code>npm run --silent rotavox --</code> instead of <code>rotavox</code>.
        </p>
      </Card>
    </div>
  );
}
