import { useRef, useState } from 'react';

import { Button, SubmitButton } from '../../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { useLive } from '../../../kit/live/use-live.ts';
import { useDesigner } from '../use-designer.ts';
import { BeforePublishing } from './before-publishing.tsx';
import { Exchanges } from './exchanges.tsx';
import { PublishOutcome } from './publish-outcome.tsx';
import styles from './publish-dialog.module.css';
import { knownIds, publicationsOf } from './read-publications.ts';
import { PublishedBefore, TargetField } from './target-field.tsx';
import { usePublish } from './use-publish.ts';

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
