import type { NodeId } from '../../../contract/ivr-draft.ts';
import type { IvrBody } from '../../../contract/ivr.ts';
import type { FlowMenu, FlowTarget } from '../flow.ts';
import { smsTemplateList } from './menu-body.ts';
import { writeReference } from '../reference.ts';

/**
 * The body of a menu that may run: what is sent for it, fields in the spec's order.
 *
 * `idOf` says which id a menu has at the target, or null while it has none: that line then ends the call (`hangup`),
 * until the menu is sent once more. Blank SMS templates at the end of their list are left out; they say nothing.
 */
export function bodyOfMenu(menu: FlowMenu, idOf: (menu: NodeId) => string | null): IvrBody {
  const keys = [...menu.keys.values()];
  const templates = smsTemplateList(keys.map(({ smsTemplate }) => smsTemplate ?? ''));
  return {
    name: menu.name,
    description: menu.description,
    recording: menu.recording,
    timeout: menu.timeoutSeconds,
    option: [...menu.keys.keys()],
    destination: keys.map(({ to }) => destination(to)),
    incorrect_count: menu.wrongKey.retries,
    invalid_recording: menu.wrongKey.recording,
    invalid_destination: destination(menu.wrongKey.to),
    timeout_retry_recording: menu.silence.retryRecording,
    timeout_recording: menu.silence.lastRecording,
    timeout_destination: destination(menu.silence.to),
    timeout_tries: menu.silence.retries,
    ...(templates === null ? {} : { sms_template: templates }),
  };

  function destination(to: FlowTarget): string {
    if (to.kind === 'destination') return to.destination;
    const id = idOf(to.menu);
    return id === null ? 'hangup' : writeReference({ type: 'ivr', id });
  }
}
