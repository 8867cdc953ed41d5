import { useEffect, useRef } from 'react';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import type { RunningTool } from '../../contract/credential/use.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import { rotateDialogText as text } from '../../text/credential/credential-page.ts';
import { placeText, serviceText } from '../../text/credential/credentials.ts';
import { toolsInUseText, toolsText } from '../../text/credential/tool-wait-text.ts';
import { callerText } from '../../text/window/events.ts';
import { currentTokenEnds } from '../../text/credential/providers.ts';
import { Button } from '../kit/button.tsx';
import { useCommandLine } from '../kit/command-line.tsx';
import { Consequences, Dialog, DialogButtons } from '../kit/dialog.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import { GotCurrent, usersOfCurrent } from './use/users.tsx';
import { useKnownCredential, whoUses } from './read-credentials.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { isBusyWith, useAct } from '../kit/use-act.ts';

/** Asks whether to rotate now, and says which programs lose their token and which places get the new one. */
export function RotateDialog({
  one,
  onRotate,
  onClose,
}: {
  one: CredentialView;
  onRotate: () => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const rotateRef = useRef<HTMLButtonElement>(null);
  const commandLine = useCommandLine();
  const use = useLive(whoUses(one.name)).known?.value;
  // Enter confirms: the dialog is asked for with the verb on its button.
  useEffect(() => rotateRef.current?.focus(), []);
  const endsAtOnce = one.standby === null && providerFacts(one.provider.id).traits.oldEnds === 'at_once';
  const command = commandLine === null ? null : <code>{`${commandLine} get ${one.name}`}</code>;

  return (
    <Dialog ref={ref} title={text.question(one.name)} mayClose={() => true} onClose={onClose}>
      <Consequences>
        <li>{text.ends(currentTokenEnds(one.provider, one.standby !== null), endsAtOnce)}</li>
        <li>
          <Users one={one} />
        </li>
        {use === undefined ? null : <RunningTools tools={use.tools} />}
        {use === undefined ? null : <GotCurrent use={use} />}
        <li>
          <Targets one={one} />
        </li>
        <li>{command === null ? text.others : <RichText text={text.othersCommand} parts={{ command }} />}</li>
      </Consequences>
      <DialogButtons>
        <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
        <Button
          rank="main"
          ref={rotateRef}
          onPress={() => {
            ref.current?.close();
            onRotate();
          }}
        >
          {text.rotate}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Which programs are known to use the token that ends. */
function Users({ one }: { one: CredentialView }) {
  const known = useLive(usersOfCurrent(one)).known;
  if (known === undefined) return text.looking;
  const users = known.value;
  if (users === null) return text.elsewhere(serviceText(one));
  if (users.length === 0) return text.noUsers;
  return (
    <>
      {text.users}
      <ul aria-label={text.usersList}>
        {users.map((user) => (
          <li key={callerText(user)}>
            <strong>{callerText(user)}</strong>{' '}
            <Text as="span" tone="soft">
              <RichText text={text.used} parts={{ at: <Moment at={user.at} /> }} />
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Connected tools that run now and would lose their token. Nothing without any. */
function RunningTools({ tools }: { tools: readonly RunningTool[] }) {
  if (tools.length === 0) return null;
  return (
    <li>
      {toolsInUseText.lead}
      <ul aria-label={toolsInUseText.list}>
        {tools.map((tool) => (
          <li key={`${tool.name} ${tool.pid ?? ''}`}>
            <strong>{toolsText([tool])}</strong>{' '}
            <Text as="span" tone="soft">
              (<RichText text={toolsInUseText.tool} parts={{ at: <Moment at={tool.since} /> }} />)
            </Text>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Which places get the new token. */
function Targets({ one: { targets } }: { one: CredentialView }) {
  if (targets.length === 0) return text.noTargets;
  return (
    <>
      {text.targets}
      <ul aria-label={text.targetsList}>
        {targets.map(({ id, target }) => (
          <li key={id}>
            <code>{placeText(target)}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the owner can do about the rotation of a credential, and what is under way. */
export function useRotation(one: CredentialView): {
  readonly rotate: () => void;
  readonly resume: () => void;
  /** Has this service issue a new token, where the current one cannot be rotated any more. */
  readonly reissue: () => void;
  /** Resumes the token itself, which is suspended in this service. */
  readonly resumeToken: (id: string) => void;
  /** Has the owner reminded before it expires, where it cannot be rotated. */
  readonly remindOnly: () => void;
  /** Also while somebody else's request, or the service's own plan, has it rotated. */
  readonly isRotating: boolean;
  readonly isResuming: boolean;
  readonly isReissuing: boolean;
  readonly isResumingToken: boolean;
  /** Why the last request was refused. */
  readonly refusal: string | undefined;
} {
  const act = useAct();
  const show = useKnownCredential();
  const params = { name: one.name };

  async function rotate(): Promise<void> {
    const asked = await act.run('rotate', () => askPortal('rotateCredential', { params }), 'token_rotated');
    if (asked !== null) show(asked.value);
  }
  async function resume(): Promise<void> {
    const asked = await act.run(
      'resume',
      () => askPortal('resumeCredential', { params }),
      'rotation_resumed',
    );
    if (asked !== null) show(asked.value);
  }
  async function reissue(): Promise<void> {
    const ask = () => askPortal('reissueCredential', { params });
    const asked = await act.run('reissue', ask, 'token_issued');
    if (asked !== null) show(asked.value);
  }
  async function resumeToken(id: string): Promise<void> {
    // What comes of it is told by the stream.
    await act.run('resume-token', () => askPortal('resumeToken', { params: { id } }), 'token_resumed');
  }
  async function remindOnly(): Promise<void> {
    const asked = await act.run('remind', () => askPortal('remindOnly', { params }), 'credential_changed');
    if (asked !== null) show(asked.value);
  }
  return {
    rotate: () => void rotate(),
    resume: () => void resume(),
    reissue: () => void reissue(),
    resumeToken: (id) => void resumeToken(id),
    remindOnly: () => void remindOnly(),
    isRotating: isBusyWith(act, 'rotate') || one.state === 'rotating',
    isResuming: isBusyWith(act, 'resume'),
    isReissuing: isBusyWith(act, 'reissue'),
    isResumingToken: isBusyWith(act, 'resume-token'),
    refusal: act.state.kind === 'refused' ? act.state.reason : undefined,
  };
}
