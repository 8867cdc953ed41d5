import type { CredentialView } from '../../contract/credential-view.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { useKnownCredential } from './use-known-credential.ts';

/** The owner's hand on the rotation of a credential: have it rotated now, have it go on after a pause, or begin anew. */
export function useRotation(one: CredentialView): {
  readonly rotate: () => void;
  readonly resume: () => void;
  /** Has this service issue it again, for when it has lost its way. */
  readonly reissue: () => void;
  /** Also while somebody else's wish, or the service's own plan, has it rotated. */
  readonly isRotating: boolean;
  readonly isResuming: boolean;
  readonly isReissuing: boolean;
  /** Why the last wish was refused. */
  readonly refusal: string | undefined;
} {
  const act = useAct();
  const show = useKnownCredential();
  const params = { name: one.name };

  async function rotate(): Promise<void> {
    const asked = await act.run('rotate', () => askPortal('rotateCredential', { params }), 'it was rotated');
    if (asked !== null) show(asked.value);
  }
  async function resume(): Promise<void> {
    const asked = await act.run('resume', () => askPortal('resumeCredential', { params }), 'it was resumed');
    if (asked !== null) show(asked.value);
  }
  async function reissue(): Promise<void> {
    const ask = () => askPortal('reissueCredential', { params });
    const asked = await act.run('reissue', ask, 'it was issued again');
    if (asked !== null) show(asked.value);
  }
  return {
    rotate: () => void rotate(),
    resume: () => void resume(),
    reissue: () => void reissue(),
    isRotating: isBusyWith(act, 'rotate') || one.state === 'rotating',
    isResuming: isBusyWith(act, 'resume'),
    isReissuing: isBusyWith(act, 'reissue'),
    refusal: act.state.kind === 'refused' ? act.state.reason : undefined,
  };
}
