import type { State } from '../../state.ts';
import type { IvrDirectory } from '../ivr-directory.ts';

/** All that this service knows, looked up where it is: a check costs the same however many extensions there are. */
export function stateDirectory(state: State): IvrDirectory {
  return {
    recordings: state.recordings,
    extensions: state.extensions,
    menus: state.ivrs,
    smsTemplates: state.smsTemplates,
    smsTemplatesEnabled: state.settings.sms_templates_enabled,
  };
}
