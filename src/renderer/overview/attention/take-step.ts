import { nothingListens, type PortalReply } from '../../kit/portal-reply.ts';

export type Deed = Exclude<Step, { kind: 'go' }>;

/** What a button for it says, before and while it is done. */
export function deedWords(deed: Deed): { readonly idle: string; readonly busy: string } {
  switch (deed.kind) {
    case 'rotate':
      return { idle: deed.words, busy: 'Rotating…' };
    case 'resume':
      return { idle: 'Resume', busy: 'Resuming…' };
    case 'resume-token':
      return { idle: 'Resume token', busy: 'Resuming…' };
    case 'deliver':
      return { idle: 'Deliver again', busy: 'Delivering…' };
  }
}

/** Only when there is something to do: it brings the contract's schemas along. */
const loadAsking = () => import('../../kit/ask-portal.ts');

/** Has ready what a press will need, for the service may be gone by then. */
export function prepareSteps(): void {
  loadAsking().catch(() => undefined); // asked for again by the press, which says so
}

/** Does it. What came of it shows in the list, which is read again. */
export async function takeStep(deed: Deed): Promise<PortalReply<unknown>> {
  const asking = await loadAsking().catch(() => null);
  if (asking === null) return { kind: 'unreachable', reason: nothingListens };
  const { askPortal } = asking;
  const { name } = deed;
  switch (deed.kind) {
    case 'rotate':
      return askPortal('rotateCredential', { params: { name } });
    case 'resume':
      return askPortal('resumeCredential', { params: { name } });
    case 'resume-token':
      return askPortal('resumeToken', { params: { id: deed.tokenId } });
    case 'deliver':
      return askPortal('deliverTarget', { params: { name, target_id: deed.targetId } });
  }
}

/** Something to do about what needs the owner: go where it is done, or do it at once. */
export type Step =
  | { readonly kind: 'go'; readonly to: string; readonly words: string }
  | { readonly kind: 'rotate'; readonly name: string; readonly words: string }
  | { readonly kind: 'resume'; readonly name: string }
  | { readonly kind: 'resume-token'; readonly name: string; readonly tokenId: string }
  | { readonly kind: 'deliver'; readonly name: string; readonly targetId: string };
