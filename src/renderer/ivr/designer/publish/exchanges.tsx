import type { PublishExchange } from '../../../../contract/ivr-draft.ts';
import { CodeBlock } from '../../../kit/code-block.tsx';
import { ServiceWords } from '../../../kit/service-words.tsx';
import { bodyText } from '../../request-body.ts';
import styles from './publish-dialog.module.css';

/** Every request as it was sent and every answer as it came, menu by menu. No header of them holds a token. */
export function Exchanges({
  exchanges,
  said,
}: {
  exchanges: readonly PublishExchange[];
  /** What was said of all of it already. */
  said: string;
}) {
  if (exchanges.length === 0) return null;
  return (
    <section className={styles['part']} aria-label="Requests and replies">
      <h3 className={styles['title']}>Requests and replies</h3>
      {exchanges.map((exchange, place) => (
        <Exchange key={place} exchange={exchange} isSaid={said.includes(exchange.message)} />
      ))}
    </section>
  );
}

function Exchange({ exchange, isSaid }: { exchange: PublishExchange; isSaid: boolean }) {
  const { name, method, url, body, status, reply, message } = exchange;
  const isGood = status !== null && status < 300;
  return (
    <details className={styles['exchange']} open={!isGood}>
      <summary>
        <span>
          <code>{method}</code> {name}
        </span>
        <span className={styles['status']} data-good={isGood}>
          {status === null ? 'no answer' : isGood ? `${status}, stored` : status}
        </span>
      </summary>
      <div className={styles['inside']}>
        {isSaid ? null : (
          <p>
            <ServiceWords said={message} />
          </p>
        )}
        <p className={styles['note']}>
          <code>
            {method} {url}
          </code>
        </p>
        {body === null ? null : <CodeBlock text={bodyText(body)} what={`the request for ${name}`} />}
        {reply === null || reply === undefined ? null : (
          <CodeBlock text={replyText(reply)} what={`the reply for ${name}`} />
        )}
      </div>
    </details>
  );
}

function replyText(reply: unknown): string {
  return typeof reply === 'string' ? reply : JSON.stringify(reply, null, 2);
}
