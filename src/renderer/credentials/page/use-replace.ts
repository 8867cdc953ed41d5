import { useRef, useState } from 'react';

import type { ReplaceValue } from '../../../contract/credential.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { PortalProblem } from '../../kit/portal-reply.ts';
import { problemWords } from '../../kit/problem-words.ts';
import { addErrorsOf } from '../add/add-draft.ts';
import { useKnownCredential } from '../use-known-credential.ts';

interface Refusal {
  readonly reason: string | undefined;
  readonly valueError: string | undefined;
  readonly endError: string | undefined;
  /** Whether the person has to say when the value ends. */
  readonly needsLife: boolean;
}

/** Has a value take the place of the present one. No value stays here: it is in the one question that needs it. */
export function useReplace(name: string) {
  const show = useKnownCredential();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const isAsking = useRef(false);

  /** Answers whether it was replaced. */
  async function replace(body: ReplaceValue): Promise<boolean> {
    if (isAsking.current) return false;
    isAsking.current = true;
    setBusy(true);
    setRefusal(undefined);
    const replaced = await askPortal('replaceCredentialValue', { params: { name }, body });
    isAsking.current = false;
    setBusy(false);
    if (replaced.kind === 'ok') {
      show(replaced.value);
      return true;
    }
    setRefusal(refusalOf(replaced));
    return false;
  }
  return {
    isBusy,
    refusal,
    replace,
    /** What was said of one value says nothing about another. */
    forget: () => setRefusal((now) => now && { ...now, reason: undefined, valueError: undefined }),
  };
}

function refusalOf(problem: PortalProblem): Refusal {
  const reason = problemWords(problem, 'it was replaced');
  const errors = problem.kind === 'refused' ? addErrorsOf(problem.errors ?? []) : {};
  const isAtFields = errors.value !== undefined || errors.expires_at !== undefined;
  return {
    reason: isAtFields ? undefined : reason,
    valueError: errors.value,
    endError: errors.expires_at,
    needsLife:
      errors.expires_at !== undefined ||
      (problem.kind === 'refused' && problem.code === 'other_service_failed'),
  };
}
