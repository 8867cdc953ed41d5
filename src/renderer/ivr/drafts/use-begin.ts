import { useState } from 'react';

import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import { beginDraft } from './begin-draft.ts';

/** Begins a draft, once however often it is asked for, and says why not where it does not work. */
export function useBegin(): {
  readonly begin: (document: IvrDocument) => void;
  readonly isBusy: boolean;
  readonly refusal: string | undefined;
} {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  return {
    begin: (document) => {
      if (isBusy) return;
      setBusy(true);
      void beginDraft(document).then((reason) => {
        setBusy(false);
        setRefusal(reason);
      });
    },
    isBusy,
    refusal,
  };
}
