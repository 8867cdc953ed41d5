import { CodeBlock } from '../../../kit/code-block.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { bodyText } from '../../request-body.ts';
import { plannedRequests } from '../publish/planned-requests.ts';
import { knownIds, publicationsOf } from '../publish/read-publications.ts';
import { useDesigner } from '../use-designer.ts';
import styles from './body-view.module.css';

/** Everything that publishing to this service would send, in its order. */
export function RequestsView() {
  const { check, draftId } = useDesigner();
  const live = useLive(publicationsOf(draftId));
  if (check.flow === null)
    return <p className={styles['note']}>Nothing can be sent while something is open. See the problems.</p>;
  const requests = plannedRequests(check.flow, knownIds(live.known?.value ?? [], null));
  return (
    <>
      <p className={styles['note']}>
        What publishing to this service sends, in this order. <code>{'<id of …>'}</code> stands for an id that
        the service gives on the way.
      </p>
      <ol className={styles['requests']}>
        {requests.map(({ method, path, menu, body, completes }, place) => (
          <li key={place}>
            <h3 className={styles['what']}>
              <code>
                {method} {path}
              </code>{' '}
              {menu}
              {completes ? ', once more, now that all it leads to is there' : ''}
            </h3>
            <CodeBlock text={bodyText(body)} what={`the body of ${method} ${path} for ${menu}`} />
          </li>
        ))}
      </ol>
    </>
  );
}
