import { useRef, useState } from 'react';

import type { ConnectionTest } from '../../../contract/credential-checks.ts';
import type { CredentialView } from '../../../contract/credential-view.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { PortalProblem } from '../../kit/portal-reply.ts';
import { problemWords } from '../../kit/problem-words.ts';
import { addErrorsOf, type AddErrors, type AddOrder } from './add-draft.ts';

/** Where adding stands. */
export interface AddState {
  readonly busy: 'add' | 'test' | null;
  readonly refusal: {
    readonly reason: string | undefined;
    readonly errors: AddErrors;
    /** Whether it was refused because its service cannot rotate it. */
    readonly cannotRotate?: boolean;
  } | null;
  readonly test: ConnectionTest | null;
}

const untouched: AddState = { busy: null, refusal: null, test: null };

/** Tests a value and has it kept fresh, one at a time. No value stays here: each is in the one question that needs it. */
export function useAdd() {
  const [state, setState] = useState(untouched);
  const isBusy = useRef(false);

  async function once<T>(work: () => Promise<T>): Promise<T | null> {
    if (isBusy.current) return null;
    isBusy.current = true;
    try {
      return await work();
    } finally {
      isBusy.current = false;
    }
  }

  async function add(body: AddOrder): Promise<CredentialView | null> {
    setState((now) => ({ ...now, busy: 'add', refusal: null }));
    const added = await askPortal('addCredential', { body });
    if (added.kind !== 'ok') {
      setState((now) => ({ ...now, busy: null, refusal: refusalOf(added) }));
      return null;
    }
    setState(untouched);
    return added.value;
  }

  async function test(value: string, baseUrl: string | null): Promise<ConnectionTest | null> {
    setState({ busy: 'test', refusal: null, test: null });
    const tested = await askPortal('testConnection', { body: { value, base_url: baseUrl } });
    if (tested.kind !== 'ok') {
      setState({ ...untouched, refusal: refusalOf(tested) });
      return null;
    }
    setState({ ...untouched, test: tested.value });
    return tested.value;
  }

  return {
    state,
    add: (body: AddOrder) => once(() => add(body)),
    test: (value: string, baseUrl: string | null) => once(() => test(value, baseUrl)),
    /** What was found out about a value says nothing about another one. */
    forgetTest: () => setState((now) => (now.test === null ? now : { ...now, test: null })),
  };
}

function refusalOf(problem: PortalProblem): AddState['refusal'] {
  const reason = problemWords(problem, 'it is kept fresh');
  if (problem.kind !== 'refused') return { reason, errors: {} };
  if (problem.code === 'cannot_rotate')
    return {
      reason: reason.replace(/ To be reminded .*--remind-only\./, ''),
      errors: {},
      cannotRotate: true,
    };
  if (problem.code === 'conflict') return { reason: undefined, errors: { name: reason } };
  const errors = addErrorsOf(problem.errors ?? []);
  return { reason: Object.keys(errors).length === 0 ? reason : undefined, errors };
}
