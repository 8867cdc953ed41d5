import { useState } from 'react';

import { sessionIdleHours } from '../../contract/portal.ts';
import { ActionButton } from '../kit/action-button.tsx';
import { askPortal } from '../kit/ask-portal.ts';
import { countWords } from '../kit/count-words.ts';
import { desktop } from '../kit/desktop.ts';
import { leaveSignedOut } from '../kit/page-key.ts';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { Setting } from './setting.tsx';

/** Ends what `rotavox open` began. The desktop app's own windows are never signed out. */
export function SignOutSetting() {
  const act = useAct();
  const [signedOut, setSignedOut] = useState<number>();
  const { state } = act;

  async function signOut(what: 'here' | 'everywhere'): Promise<void> {
    setSignedOut(undefined);
    const ask = () => askPortal('signOut', { body: { all_browsers: what === 'everywhere' } });
    const done = await act.run(what, ask, 'it was signed out');
    if (done === null) return;
    if (desktop === undefined) leaveSignedOut();
    else setSignedOut(done.value.signed_out);
  }
  return (
    <Setting
      title="Signed-in browsers"
      hint={
        `A browser stays signed in until you sign out, until it has not been used for ${sessionIdleHours} hours, ` +
        'or until Rotavox restarts.'
      }
      saving={state.kind === 'refused' ? { kind: 'refused', reason: state.reason } : { kind: 'idle' }}
    >
      {desktop !== undefined ? null : (
        <ActionButton isBusy={isBusyWith(act, 'here')} onPress={() => void signOut('here')}>
          Sign out
        </ActionButton>
      )}
      <ActionButton isBusy={isBusyWith(act, 'everywhere')} onPress={() => void signOut('everywhere')}>
        Sign out all browsers
      </ActionButton>
      <p role="status">
        {signedOut === undefined ? null : `Signed out ${countWords(signedOut, 'browser')}.`}
      </p>
    </Setting>
  );
}
