import { useRef, useState } from 'react';
import type { PublishExchange, PublishReply } from '../../../../contract/ivr-draft.ts';
import type { IvrProblem } from '../../../../contract/ivr-problem.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../../kit/button.tsx';
import { CodeBlock } from '../../../kit/command-line.tsx';
import { countWords } from '../../../../text/count.ts';
import { problemSentence } from '../../../../text/flow-findings.ts';
import { blockingWords } from '../../../../text/phone-menu.ts';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { problemWords } from '../../../kit/problem-words.ts';
import { ServiceWords } from '../../../kit/service-words.tsx';
import { drawings, Shape } from '../../../kit/shape.tsx';
import { bodyText } from '../../request-body.ts';
import { goToProblem } from '../problems/go-to-problem.ts';
import { useDesigner } from '../use-designer.ts';
import { plannedRequests } from './planned-requests.ts';
import styles from './publish-dialog.module.css';
import { knownIds, publicationsOf } from './read-publications.ts';
import { PublishedBefore, TargetField } from './target-field.tsx';

/** Stores the menus of the drawing at a service: where, what is in the way, what is sent, and what came back. */
export function PublishDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const { check, draftId } = useDesigner();
  const publications = useLive(publicationsOf(draftId)).known?.value ?? [];
  const [credential, setCredential] = useState<string | null>(null);
  const { state, publish, reset } = usePublish();
  const isBlocked = check.flow === null || check.problems.some(({ severity }) => severity === 'error');
  const isDone = state.kind === 'answered' && state.reply.outcome === 'published';
  const wasTried = state.kind === 'answered' || state.kind === 'refused';

  return (
    <Dialog ref={ref} title="Publish" mayClose={() => state.kind !== 'busy'} onClose={onClose}>
      <form
        className={styles['publish']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBlocked && !isDone) void publish(credential);
        }}
      >
        <TargetField
          credential={credential}
          onChange={(chosen) => {
            setCredential(chosen);
            reset();
          }}
        />
        {state.kind === 'answered' ? (
          <>
            <PublishOutcome reply={state.reply} />
            <Exchanges exchanges={state.reply.exchanges} said={state.reply.message} />
          </>
        ) : (
          <>
            <PublishedBefore publications={publications} credential={credential} />
            <BeforePublishing
              known={knownIds(publications, credential)}
              onLeave={() => ref.current?.close()}
            />
          </>
        )}
        <DialogButtons>
          <FormRefusal reason={state.kind === 'refused' ? state.reason : undefined} />
          <Button
            onPress={() => {
              if (state.kind !== 'busy') ref.current?.close();
            }}
          >
            {isDone ? 'Close' : 'Cancel'}
          </Button>
          {isDone || isBlocked ? null : (
            <SubmitButton isBusy={state.kind === 'busy'}>
              {state.kind === 'busy' ? 'Publishing …' : wasTried ? 'Try again' : 'Publish'}
            </SubmitButton>
          )}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What keeps the drawing from being published, or exactly what would be sent. */
function BeforePublishing({
  known,
  onLeave,
}: {
  known: Readonly<Record<string, string>>;
  onLeave: () => void;
}) {
  const { check } = useDesigner();
  const errors = check.problems.filter(({ severity }) => severity === 'error');
  const warnings = check.problems.filter(({ severity }) => severity === 'warning');
  return (
    <>
      {errors.length === 0 ? null : (
        <section className={styles['part']} aria-label="Errors">
          <h3 className={styles['title']}>{blockingWords(errors.length)}</h3>
          <WayList problems={errors} onLeave={onLeave} />
        </section>
      )}
      {warnings.length === 0 ? null : (
        <details className={styles['exchange']}>
          <summary>
            {countWords(warnings.length, 'warning')}, which {warnings.length === 1 ? 'does' : 'do'} not block
            publishing
          </summary>
          <div className={styles['inside']}>
            <WayList problems={warnings} onLeave={onLeave} />
          </div>
        </details>
      )}
      {check.flow === null || errors.length > 0 ? null : <Plan known={known} />}
    </>
  );
}

function Plan({ known }: { known: Readonly<Record<string, string>> }) {
  const { check } = useDesigner();
  if (check.flow === null) return null;
  const requests = plannedRequests(check.flow, known);
  return (
    <section className={styles['part']} aria-label="What is sent">
      <h3 className={styles['title']}>What is sent, in this order</h3>
      {requests.map(({ method, path, menu, body, completes }, place) => (
        <details key={place} className={styles['exchange']}>
          <summary>
            <code>
              {method} {path}
            </code>
            <span>
              {menu}
              {completes ? ', completed' : ''}
            </span>
          </summary>
          <div className={styles['inside']}>
            <CodeBlock text={bodyText(body)} what={`the body of ${method} ${path} for ${menu}`} />
          </div>
        </details>
      ))}
    </section>
  );
}

/** Problems, each with the way to the field that mends it. */
function WayList({ problems, onLeave }: { problems: readonly IvrProblem[]; onLeave: () => void }) {
  const { store } = useDesigner();
  return (
    <ul className={styles['list']}>
      {problems.map((problem, place) => (
        <li key={place}>
          <button
            type="button"
            className={styles['way']}
            data-severity={problem.severity}
            onClick={() => {
              onLeave();
              // The dialog gives the focus back to where it was; the field comes after that.
              requestAnimationFrame(() => goToProblem(store, problem));
            }}
          >
            <Icon name={problem.severity === 'error' ? 'cross' : 'alert'} />
            {problemSentence(problem)}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Every request as it was sent and every answer as it came, menu by menu. No header of them holds a token. */
function Exchanges({
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

/** What became of it; where it failed, what is stored there already. The drawing is safe in any case. */
function PublishOutcome({ reply: { outcome, message, version, exchanges } }: { reply: PublishReply }) {
  const stored = exchanges.filter(
    ({ method, status }) => method !== 'GET' && status !== null && status < 300,
  ).length;
  return (
    <div role="status" className={styles['outcome']} data-outcome={outcome}>
      <Shape tone={outcome === 'published' ? 'good' : 'bad'}>
        {outcome === 'published' ? drawings.disc : drawings.cross}
      </Shape>
      <div>
        <p>
          <ServiceWords said={message} />
        </p>
        {outcome === 'published' ? (
          <p className={styles['note']}>
            {version === null
              ? ''
              : `It is kept as version ${version}: compare it or go back to it any time.`}
          </p>
        ) : (
          <p className={styles['note']}>
            {stored === 0
              ? 'Nothing was stored there this time.'
              : `${countWords(stored, 'request')} of this try went through; trying again goes on from there.`}{' '}
            The drawing is saved here and unchanged.
          </p>
        )}
      </div>
    </div>
  );
}

/** How publishing stands: not asked for yet, under way, answered, or why there is no answer. */
export type PublishState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'answered'; readonly reply: PublishReply }
  | { readonly kind: 'refused'; readonly reason: string };

/** Publishes what is drawn now: it is saved first, so that what is sent is what is seen. */
function usePublish(): {
  readonly state: PublishState;
  readonly publish: (credential: string | null) => Promise<void>;
  readonly reset: () => void;
} {
  const { draftId, saveNow } = useDesigner();
  const [state, setState] = useState<PublishState>({ kind: 'idle' });

  async function publish(credential: string | null): Promise<void> {
    if (state.kind === 'busy') return;
    setState({ kind: 'busy' });
    const revision = await saveNow();
    if (revision === null) {
      const reason = 'Nothing was sent: the drawing could not be saved first. The window says why.';
      setState({ kind: 'refused', reason });
      return;
    }
    const reply = await askPortal('publishDraft', {
      params: { id: draftId },
      body: { revision, credential },
    });
    setState(
      reply.kind === 'ok'
        ? { kind: 'answered', reply: reply.value }
        : {
            kind: 'refused',
            reason: problemWords(reply, 'something was published'),
          },
    );
  }

  return { state, publish, reset: () => setState({ kind: 'idle' }) };
}
