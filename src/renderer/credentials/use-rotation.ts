import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { useKnownCredential } from './read-credentials.ts';

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
