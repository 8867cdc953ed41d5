import { useRef, useState } from 'react';

import type { DirectoryImported } from '../../contract/directory.ts';
import type { FieldError } from '../../contract/problems.ts';
import type { PortalProblem } from '../kit/portal-reply.ts';
import { problemWords } from '../kit/problem-words.ts';
import type { Directory } from './directory.ts';

/** What an import would do, or why it cannot. */
export type ImportState =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'preview'; readonly would: DirectoryImported }
  | { readonly kind: 'importing'; readonly would: DirectoryImported }
  | { readonly kind: 'refused'; readonly reason: string; readonly errors: readonly FieldError[] };

/** Has the service say what a CSV text would change, and then has it changed. The service alone reads CSV. */
export function useImport({ importCsv, one }: Directory) {
  const [csv, setCsv] = useState('');
  const [state, setState] = useState<ImportState>({ kind: 'nothing' });
  const last = useRef(0);

  function refuse(problem: PortalProblem, wish?: string): void {
    const errors = problem.kind === 'refused' ? (problem.errors ?? []) : [];
    setState({ kind: 'refused', reason: problemWords(problem, wish), errors });
  }
  async function look(text: string): Promise<void> {
    const mine = (last.current += 1);
    setCsv(text);
    if (text.trim() === '') {
      setState({ kind: 'nothing' });
      return;
    }
    setState({ kind: 'looking' });
    const reply = await importCsv(text, true);
    if (mine !== last.current) return; // something newer has been typed
    if (reply.kind === 'ok') setState({ kind: 'preview', would: reply.value });
    else refuse(reply);
  }
  /** Answers whether it was imported. */
  async function bring(would: DirectoryImported): Promise<boolean> {
    last.current += 1;
    setState({ kind: 'importing', would });
    const reply = await importCsv(csv, false);
    if (reply.kind !== 'ok') refuse(reply, `each ${one} was imported`);
    return reply.kind === 'ok';
  }
  return { csv, state, look, bring };
}
