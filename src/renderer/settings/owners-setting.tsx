import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import {
  AddOwner,
  type NewOwner,
  type OwnerList,
  type OwnerView,
  type SessionList,
} from '../../contract/service/owner.ts';
import { browserText, ownerSettingsText } from '../../text/service/owners.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button, SubmitButton } from '../kit/button.tsx';
import { Dialog, DialogButtons, QuestionDialog } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Form, FormText, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { changeKnown } from '../kit/live/window-cache.ts';
import { Moment } from '../kit/moment.tsx';
import { readPortal } from '../kit/read-portal.ts';
import { RichText } from '../kit/rich-text.tsx';
import { SecretValue } from '../kit/secret-value.tsx';
import { Text } from '../kit/text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';

const allOwners: Resource<OwnerList> = {
  key: ['owners'],
  about: ['owner.'],
  read: (signal) => readPortal('owners', signal),
};
const ownSessions: Resource<SessionList> = {
  key: ['sessions'],
  about: ['owner.'],
  read: (signal) => readPortal('sessions', signal),
};

/** The people who have a key, and the way to add and revoke one. */
export function OwnersSetting() {
  const { owners: text } = ownerSettingsText;
  const owners = useLive(allOwners).known?.value.owners;
  const [isAdding, setAdding] = useState(false);
  return (
    <Setting title={text.title} hint={text.hint} saving={{ kind: 'idle' }}>
      {owners === undefined ? null : (
        <Rows label={text.list} none={owners.length === 0 ? text.none : null}>
          {owners.map((owner) => (
            <OwnerRow key={owner.id} owner={owner} isLast={owners.length === 1} />
          ))}
        </Rows>
      )}
      <Button onPress={() => setAdding(true)}>{text.add}</Button>
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Setting>
  );
}

/** The browsers in which the person at this window is signed in. */
export function SessionRows() {
  const { sessions: text } = ownerSettingsText;
  const cache = useQueryClient();
  const act = useAct();
  const sessions = useLive(ownSessions).known?.value.sessions;

  async function end(id: string): Promise<void> {
    const left = await act.run(id, () => askPortal('endSession', { params: { id } }), 'signed_out');
    if (left !== null) changeKnown(cache, ownSessions, () => left.value);
  }
  return (
    <>
      {sessions === undefined ? null : (
        <Rows label={text.list} none={sessions.length === 0 ? text.none : null}>
          {sessions.map((session) => (
            <Row key={session.id} as="li" gap={3} wraps align="center" justify="between">
              <Stack gap={1}>
                <Text weight="strong" breaks>
                  {browserText(session.user_agent)}
                  {session.is_current ? (
                    <Text as="span" tone="soft" weight="regular">
                      {` (${text.current})`}
                    </Text>
                  ) : null}
                </Text>
                <Text tone="soft" size="small" isTabular breaks>
                  <RichText
                    text={text.times}
                    parts={{
                      at: <Moment at={session.signed_in_at} />,
                      used: <Moment at={session.last_used_at} />,
                      address: session.address,
                    }}
                  />
                </Text>
              </Stack>
              {session.is_current ? null : (
                <ActionButton
                  about={browserText(session.user_agent)}
                  isBusy={isBusyWith(act, session.id)}
                  onPress={() => void end(session.id)}
                >
                  {text.signOut}
                </ActionButton>
              )}
            </Row>
          ))}
        </Rows>
      )}
      <FormRefusal reason={act.refusal} />
    </>
  );
}

function Rows({ label, none, children }: { label: string; none: string | null; children: ReactNode }) {
  if (none !== null) {
    return (
      <Text tone="soft" size="medium">
        {none}
      </Text>
    );
  }
  return (
    <Stack as="ul" gap={3} aria-label={label} className={styles['wide']}>
      {children}
    </Stack>
  );
}

function OwnerRow({ owner, isLast }: { owner: OwnerView; isLast: boolean }) {
  const { owners: text } = ownerSettingsText;
  const [isAsked, setAsked] = useState(false);
  const { name, created_at: addedAt, last_used_at: usedAt, sessions } = owner;
  return (
    <Row as="li" gap={3} wraps align="center" justify="between">
      <Stack gap={1}>
        <Text weight="strong" breaks>
          <bdi>{name}</bdi>
          {owner.is_you ? (
            <Text as="span" tone="soft" weight="regular">
              {` (${text.you})`}
            </Text>
          ) : null}
        </Text>
        <Text tone="soft" size="small" isTabular>
          {usedAt === null ? (
            <RichText text={text.added} parts={{ at: <Moment at={addedAt} /> }} />
          ) : (
            <RichText
              text={text.used(sessions)}
              parts={{ at: <Moment at={addedAt} />, used: <Moment at={usedAt} /> }}
            />
          )}
        </Text>
      </Stack>
      <ActionButton about={name} onPress={() => setAsked(true)}>
        {text.revoke}
      </ActionButton>
      {isAsked ? <RevokeDialog owner={owner} isLast={isLast} onClose={() => setAsked(false)} /> : null}
    </Row>
  );
}

/** Adds an owner, and shows the key once. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const { add: text } = ownerSettingsText;
  const [added, setAdded] = useState<NewOwner | null>(null);
  return (
    <Dialog
      title={added === null ? text.title : text.addedTitle(added.name)}
      mayClose={() => true}
      onClose={onClose}
    >
      {added === null ? (
        <NameForm onAdded={setAdded} />
      ) : (
        <Stack gap={4}>
          <Text>{text.once}</Text>
          <SecretValue value={added.key} what={text.key} onCopied={() => undefined} />
          <DialogButtons cancel={text.done} />
        </Stack>
      )}
    </Dialog>
  );
}

function NameForm({ onAdded }: { onAdded: (owner: NewOwner) => void }) {
  const { add: text } = ownerSettingsText;
  const form = useSchemaForm(AddOwner, { name: '' });
  const { errors, isSubmitting } = form.formState;

  async function add(body: z.output<typeof AddOwner>): Promise<void> {
    const reply = await askPortal('addOwner', { body });
    if (reply.kind === 'ok') onAdded(reply.value);
    else refuseForm(form, ['name'], reply, 'owner_added');
  }
  return (
    <Form form={form} onSend={add}>
      <FormText name="name" text={text.name} isRequired />
      <DialogButtons cancel={text.cancel} refusal={errors.root?.message}>
        <SubmitButton isBusy={isSubmitting}>{isSubmitting ? text.adding : text.add}</SubmitButton>
      </DialogButtons>
    </Form>
  );
}

function RevokeDialog({
  owner: { name, sessions, is_you: isYou },
  isLast,
  onClose,
}: {
  owner: OwnerView;
  isLast: boolean;
  onClose: () => void;
}) {
  const { revoke: text } = ownerSettingsText;
  return (
    <QuestionDialog
      title={text.title(name)}
      cancel={text.cancel}
      verb={text.revoke}
      ask={() => askPortal('revokeOwner', { params: { name } })}
      change="owner_revoked"
      onClose={onClose}
    >
      <Stack gap={2}>
        <p>{text.text(sessions)}</p>
        {isYou ? <p>{text.isYou}</p> : null}
        {isLast ? <p>{text.isLast}</p> : null}
      </Stack>
    </QuestionDialog>
  );
}
