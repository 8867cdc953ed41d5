import type { DraftId } from '../../../contract/ivr-draft.ts';
import { draftPath } from '../../kit/address.ts';
import { goTo } from '../../kit/navigation.ts';
import type { PortalReply } from '../../kit/portal-reply.ts';
import { useAct } from '../../kit/use-act.ts';

/** Finds or makes a draft, once however often it is asked for, and opens it in the designer; says why not where it does not work. */
export function useBegin(): {
  readonly begin: (draft: () => Promise<PortalReply<DraftId>>) => void;
  readonly isBusy: boolean;
  readonly refusal: string | undefined;
} {
  const { run, state } = useAct();

  async function begin(draft: () => Promise<PortalReply<DraftId>>): Promise<void> {
    const kept = await run('begin', draft, 'the draft was kept');
    if (kept !== null) goTo(draftPath(kept.value));
  }
  return {
    begin: (draft) => void begin(draft),
    isBusy: state.kind === 'busy',
    refusal: state.kind === 'refused' ? state.reason : undefined,
  };
}
