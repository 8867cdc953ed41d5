import { useRef, useState } from 'react';

import type { CredentialView } from '../../contract/credential-view.ts';
import type { IssuedToken } from '../../contract/token.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { PortalProblem } from '../kit/portal-reply.ts';
import { problemWords } from '../kit/problem-words.ts';
import { type DraftErrors, draftErrorsOf, type IssueOrder } from './token-draft.ts';

/** Whether the issued token is kept fresh. */
export type Keeping =
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'asking'; readonly name: string }
  | { readonly kind: 'kept'; readonly credential: CredentialView }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string };

/** Where issuing a token stands. */
export type IssueState =
  | { readonly step: 'draft'; readonly reason: string | undefined; readonly errors: DraftErrors }
  | { readonly step: 'asking' }
  | { readonly step: 'issued'; readonly token: IssuedToken; readonly keeping: Keeping };

const untouched: IssueState = { step: 'draft', reason: undefined, errors: {} };

/** Issues a token and has it kept fresh when that is requested. One at a time: a second press while one is under way is none. */
export function useIssue() {
  const [state, setState] = useState<IssueState>(untouched);
  const isBusy = useRef(false);

  async function once(work: () => Promise<void>): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await work();
    } finally {
      isBusy.current = false;
    }
  }

  /** Issues it; a name that is taken is found out before, so that no token is issued for nothing. */
  async function issue({ body, credentialName }: IssueOrder): Promise<void> {
    setState({ step: 'asking' });
    const refusal = credentialName === null ? null : await whyNotFree(credentialName);
    if (refusal !== null) {
      setState(refusal);
      return;
    }
    const issued = await askPortal('issueToken', { body });
    if (issued.kind !== 'ok') {
      setState(refusedDraft(issued, body));
      return;
    }
    if (credentialName === null) {
      setState({ step: 'issued', token: issued.value, keeping: { kind: 'not-asked' } });
      return;
    }
    await keepFresh(issued.value, credentialName);
  }

  /** Shown before the keychain is asked, which may first ask the person: the value is theirs already. */
  async function keepFresh(token: IssuedToken, name: string): Promise<void> {
    setState({ step: 'issued', token, keeping: { kind: 'asking', name } });
    const added = await askPortal('addCredential', { body: { name, value: token.access_token } });
    const keeping: Keeping =
      added.kind === 'ok'
        ? { kind: 'kept', credential: added.value }
        : { kind: 'refused', name, reason: problemWords(added, 'it is kept fresh') };
    setState({ step: 'issued', token, keeping });
  }

  return {
    state,
    issue: (order: IssueOrder) => once(() => issue(order)),
    keepFresh: (token: IssuedToken, name: string) => once(() => keepFresh(token, name)),
  };
}

async function whyNotFree(name: string): Promise<IssueState | null> {
  const found = await askPortal('readCredential', { params: { name } });
  if (found.kind === 'ok') {
    const taken = `Another token is kept fresh as “${name}” already. Choose another name.`;
    return { step: 'draft', reason: undefined, errors: { credentialName: taken } };
  }
  if (found.kind === 'refused' && found.code === 'not_found') return null;
  return { step: 'draft', reason: problemWords(found), errors: {} };
}

function refusedDraft(problem: PortalProblem, body: IssueOrder['body']): IssueState {
  const errors = problem.kind === 'refused' ? draftErrorsOf(problem.errors ?? [], body) : {};
  const isAtFields = Object.keys(errors).length > 0;
  return {
    step: 'draft',
    reason: isAtFields ? undefined : problemWords(problem, 'a token was issued'),
    errors,
  };
}
