import { useRef, useState } from 'react';
import { problemText } from '../../../../text/window/connection.ts';
import { Box } from '../../../kit/box.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import type { Publication, PublishExchange, PublishReply } from '../../../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../../kit/button.tsx';
import { CodeBlock } from '../../../kit/command-line.tsx';
import { checkForOtherService } from '../../../../core/ivr/prove/check-other-service.ts';
import { blocksPublishing } from '../../../../core/ivr/finding-severity.ts';
import { blockingText, alteredSentences } from '../../../../text/menu/phone-menu.ts';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { useToldKeys } from '../../../kit/keys/use-shortcut.ts';
import { shortcutText } from '../../../../text/menu/designer.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import { drawings, Shape } from '../../../kit/shape.tsx';
import { bodyText } from '../../request-body.ts';
import { goToProblem } from '../problems/go-to-problem.ts';
import { ProblemLinks } from '../problems/problem-list.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { plannedRequests } from './planned-requests.ts';
import panel from '../panel.module.css';
import styles from './publish-dialog.module.css';
import unseen from '../../../kit/unseen.module.css';
import { CallerPreview } from './caller-preview.tsx';
import type { DraftCheck } from '../../../../core/ivr/check-draft.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { publicationsOf } from './read-publications.ts';
import { telephoneText } from '../../../../text/menu/flow-export.ts';
import { publishText as text } from '../../../../text/menu/publish.ts';
import { type SystemFormat, ToTelephone } from '../exchange/telephone-steps.tsx';
import { allCredentials } from '../../../credentials/read-credentials.ts';
import { Field } from '../../../kit/field.tsx';
import { Link } from '../../../kit/link.tsx';
import { spokenSoundText } from '../../../../text/menu/prompt-field.ts';
import { Moment } from '../../../kit/moment.tsx';
import { RichText } from '../../../kit/rich-text.tsx';

/** Publishes the call flow: where to, the errors, the requests, and the replies. */
export function PublishDialog({
  onExport,
  onClose,
}: {
  onExport: (format: SystemFormat) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { check, draftId } = useDesigner();
  const publications = useLive(publicationsOf(draftId)).known?.value;
  const [credential, setCredential] = useState<string | null>(null);
  const { state, publish, reset } = usePublish();
  useToldKeys('Mod+Enter', shortcutText.publishNow);
  const problems = useProblems(check, credential);
  const isBlocked = check.flow === null || problems.some(blocksPublishing);
  const isDone = state.kind === 'answered' && state.reply.outcome === 'published';
  const wasTried = state.kind === 'answered' || state.kind === 'refused';

  const publishLabel = wasTried ? text.retry : text.publish;
  return (
    <Dialog ref={ref} title={text.title} mayClose={() => state.kind !== 'busy'} onClose={onClose}>
      <form
        className={panel['column']}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
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
        {/* Always there: a screen reader says what changes in it, and not what comes with it. */}
        <div role="status" className={state.kind === 'answered' ? undefined : unseen['unseen']}>
          {state.kind === 'busy' ? text.publishing : null}
          {state.kind === 'answered' ? <PublishOutcome reply={state.reply} /> : null}
        </div>
        {state.kind === 'answered' ? (
          <>
            <AfterPublishing isDone={isDone} onExport={onExport} />
            <Exchanges exchanges={state.reply.exchanges} said={state.reply.message} />
          </>
        ) : (
          <>
            {publications === undefined ? null : (
              <BeforePublishing
                publication={publications.find((one) => one.credential === credential)}
                credential={credential}
                onLeave={() => ref.current?.close()}
              />
            )}
            <AfterPublishing isDone={false} onExport={onExport} />
          </>
        )}
        <DialogButtons>
          <FormRefusal reason={state.kind === 'refused' ? state.reason : undefined} />
          <Button
            onPress={() => {
              if (state.kind !== 'busy') ref.current?.close();
            }}
          >
            {isDone ? text.close : text.cancel}
          </Button>
          {isDone || isBlocked ? null : (
            <SubmitButton isBusy={state.kind === 'busy'}>
              {state.kind === 'busy' ? text.publishing : publishLabel}
            </SubmitButton>
          )}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** How callers reach the menus: in sight once they are stored. */
function AfterPublishing({
  isDone,
  onExport,
}: {
  isDone: boolean;
  onExport: (format: SystemFormat) => void;
}) {
  return (
    <details className={styles['exchange']} open={isDone}>
      <summary>{telephoneText.title}</summary>
      <div
        onKeyDown={(event) => {
          // Enter in the choice of a system must not publish.
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
        }}
      >
        <ToTelephone onExport={onExport} />
      </div>
    </details>
  );
}

/** The errors that block publishing, or what it changes for callers, and exactly what would be sent. */
function BeforePublishing({
  publication,
  credential,
  onLeave,
}: {
  publication: Publication | undefined;
  credential: string | null;
  onLeave: () => void;
}) {
  const { check, store } = useDesigner();
  const errors = useProblems(check, credential).filter(blocksPublishing);
  const warned = check.problems.filter(({ severity }) => severity === 'warning');
  // Other services speak texts with voices of their own.
  const unheard = credential === null ? warned.filter(isUnspoken) : [];
  const warnings = warned.filter((problem) => !unheard.includes(problem));

  function go(problem: IvrProblem): void {
    onLeave();
    // After the dialog has restored the focus.
    requestAnimationFrame(() => goToProblem(store, problem));
  }

  return (
    <>
      <PublishedBefore before={publication} />
      {errors.length === 0 ? null : (
        <section className={panel['group']} aria-label={text.errors}>
          <Text as="h3" size="medium" weight="bold" breaks>
            {blockingText(errors.length)}
          </Text>
          <ProblemLinks problems={errors} onGo={go} />
        </section>
      )}
      {unheard.length === 0 ? null : (
        <section className={panel['group']} aria-label={text.unheard.title}>
          <Text as="h3" size="medium" weight="bold" breaks>
            {text.unheard.title}
          </Text>
          <ProblemLinks problems={unheard} onGo={go} />
          <p className={panel['note']}>
            {text.unheard.meaning} {text.unheard.remedy}{' '}
            <Link to="/settings#voices">{spokenSoundText.voices}</Link>
          </p>
        </section>
      )}
      {warnings.length === 0 ? null : (
        <details className={styles['exchange']}>
          <summary>{text.warnings(warnings.length)}</summary>
          <div>
            <ProblemLinks problems={warnings} onGo={go} />
          </div>
        </details>
      )}
      {check.flow === null || errors.length > 0 ? null : (
        <>
          <CallerPreview publication={publication} credential={credential} />
          <Plan flow={check.flow} known={publication?.menus ?? {}} />
        </>
      )}
    </>
  );
}

/** The findings of the checks, and what the service of a credential cannot store. */
function useProblems({ flow, problems }: DraftCheck, credential: string | null): readonly IvrProblem[] {
  const document = useDesignerState((state) => state.document);
  const credentials = useLive(allCredentials).known?.value.credentials ?? [];
  const isElsewhere = credentials.some(({ name, service }) => name === credential && service === 'remote');
  return flow === null || !isElsewhere ? problems : [...problems, ...checkForOtherService(document, flow)];
}

/** Something of a spoken text that callers will not hear. */
function isUnspoken({ code }: IvrProblem): boolean {
  return code === 'prompt_unspoken' || code === 'letters_unspoken';
}

/** The JSON of every request, for whoever wants to see it. */
function Plan({ flow, known }: { flow: Flow; known: Readonly<Record<string, string>> }) {
  const requests = plannedRequests(flow, known);
  return (
    <details className={styles['exchange']}>
      <summary>{text.sent}</summary>
      <Stack gap={4}>
        <p className={panel['note']}>{text.sentOrder}</p>
        {requests.map(({ method, path, menu, body, completes }, place) => (
          <Stack key={place} gap={1}>
            <p>
              <code>
                {method} {path}
              </code>{' '}
              {menu}
              {completes ? text.completed : ''}
            </p>
            <CodeBlock text={bodyText(body)} what={text.copyBody(`${method} ${path}`, menu)} />
          </Stack>
        ))}
      </Stack>
    </details>
  );
}

/** Every request and reply as sent, menu by menu, without the token. */
function Exchanges({
  exchanges,
  said,
}: {
  exchanges: readonly PublishExchange[];
  /** The message about all of them; an exchange does not repeat its own message from it. */
  said: string;
}) {
  if (exchanges.length === 0) return null;
  return (
    <section className={panel['group']} aria-label={text.exchanges}>
      <Text as="h3" size="medium" weight="bold" breaks>
        {text.exchanges}
      </Text>
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
        <span>{name}</span>
        <Text as="span" tone={isGood ? 'good' : 'bad'}>
          {resultOf(exchange)}
        </Text>
      </summary>
      <Stack gap={2}>
        {isSaid ? null : <p>{message}</p>}
        <p className={panel['note']}>
          <code>
            {method} {url}
          </code>
        </p>
        {body === null ? null : <CodeBlock text={bodyText(body)} what={text.copyRequest(name)} />}
        {reply === null || reply === undefined ? null : (
          <CodeBlock text={replyText(reply)} what={text.copyReply(name)} />
        )}
      </Stack>
    </details>
  );
}

function resultOf({ method, status }: PublishExchange): string {
  if (status === null) return text.noReply;
  if (status >= 300) return text.refused(status);
  return method === 'GET' ? text.found : text.stored;
}

function replyText(reply: unknown): string {
  return typeof reply === 'string' ? reply : JSON.stringify(reply, null, 2);
}

/** The result; after a failure, what is stored there already. */
function PublishOutcome({ reply: { outcome, message, version, exchanges } }: { reply: PublishReply }) {
  const stored = exchanges.filter(
    ({ method, status }) => method !== 'GET' && status !== null && status < 300,
  ).length;
  const tone = outcome === 'published' ? 'good' : 'bad';
  return (
    <Box
      tone={tone}
      sign={<Shape tone={tone}>{outcome === 'published' ? drawings.disc : drawings.cross}</Shape>}
    >
      <p>{message}</p>
      <p className={panel['note']}>
        {outcome === 'published' ? version !== null && text.kept : text.storedBefore(stored)}
      </p>
    </Box>
  );
}

/** Not started, under way, answered, or why there is no answer. */
export type PublishState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'answered'; readonly reply: PublishReply }
  | { readonly kind: 'refused'; readonly reason: string };

/** Publishes the current draft. It is saved first, so that exactly what is shown is sent. */
function usePublish(): {
  readonly state: PublishState;
  readonly publish: (credential: string | null) => Promise<void>;
  readonly reset: () => void;
} {
  const { draftId, saveNow, store } = useDesigner();
  const [state, setState] = useState<PublishState>({ kind: 'idle' });

  async function publish(credential: string | null): Promise<void> {
    if (state.kind === 'busy') return;
    setState({ kind: 'busy' });
    const revision = await saveNow();
    if (revision === null) {
      setState({ kind: 'refused', reason: text.notSaved });
      return;
    }
    const reply = await askPortal('publishDraft', {
      params: { id: draftId },
      body: { revision, credential },
    });
    if (reply.kind === 'ok' && reply.value.outcome === 'published') store.published();
    setState(
      reply.kind === 'ok'
        ? { kind: 'answered', reply: reply.value }
        : {
            kind: 'refused',
            reason: problemText(reply, 'draft_published'),
          },
    );
  }

  return { state, publish, reset: () => setState({ kind: 'idle' }) };
}

/** Where to publish: to this service, or to the service of a credential, with its current token. */
function TargetField({
  credential,
  onChange,
}: {
  credential: string | null;
  onChange: (credential: string | null) => void;
}) {
  const live = useLive(allCredentials);
  const credentials = live.known?.value.credentials ?? [];
  return (
    <Field label={text.where} hint={credential === null ? text.hereHint : text.credentialHint}>
      {(tied) => (
        <select
          {...tied}
          className={panel['select']}
          value={credential === null ? 'here' : `at ${credential}`}
          onChange={({ target }) => onChange(target.value === 'here' ? null : target.value.slice(3))}
        >
          <option value="here">{text.here}</option>
          {credentials.length === 0 ? null : (
            <optgroup label={text.withCredential}>
              {credentials.map(({ name, base_url }) => (
                <option key={name} value={`at ${name}`}>
                  {text.credential(name, base_url)}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      )}
    </Field>
  );
}

/** What is published there already. */
function PublishedBefore({ before }: { before: Publication | undefined }) {
  const count = Object.keys(before?.menus ?? {}).length;
  if (before === undefined || count === 0) return <p className={panel['note']}>{text.nothingThere}</p>;
  return (
    <p className={panel['note']}>
      {before.published_at === null ? (
        text.storedThere(count)
      ) : (
        <RichText
          text={text.publishedThere(before.version, count)}
          parts={{ when: <Moment at={before.published_at} /> }}
        />
      )}{' '}
      {alteredSentences(before).join(' ')}
    </p>
  );
}
