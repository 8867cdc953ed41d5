import type { IvrBody } from '../../../contract/ivr.ts';
import type { State } from '../../state.ts';
import type { IvrDirectory } from '../ivr-directory.ts';
import { readReference } from '../reference.ts';

/** All that this service knows beside a flow. */
export function knownDirectory(state: State): IvrDirectory {
  return {
    recordings: new Set<string>(state.recordings.keys()),
    extensions: new Set(state.extensions.keys()),
    menus: new Set<string>(state.ivrs.keys()),
    smsTemplates: new Set(state.smsTemplates.keys()),
    smsTemplatesEnabled: state.settings.sms_templates_enabled,
  };
}

/**
 * The same as far as one body asks for it: looked up instead of copied, so that a call costs the same however many extensions
 * there are.
 */
export function directoryAbout(state: State, body: IvrBody): IvrDirectory {
  const played = [
    body.recording,
    body.invalid_recording,
    body.timeout_retry_recording,
    body.timeout_recording,
  ];
  const ledTo = [...body.destination, body.invalid_destination, body.timeout_destination];
  return {
    recordings: knownOf(idsOf('recording', played), state.recordings),
    extensions: knownOf(idsOf('extension', ledTo), state.extensions),
    menus: knownOf(idsOf('ivr', ledTo), state.ivrs),
    smsTemplates: knownOf(body.sms_template ?? [], state.smsTemplates),
    smsTemplatesEnabled: state.settings.sms_templates_enabled,
  };
}

function idsOf(type: string, texts: readonly string[]): string[] {
  const references = texts.map(readReference);
  return references.flatMap((one) => (one?.type === type ? [one.id] : []));
}

function knownOf(ids: readonly string[], table: { has(id: string): boolean }): ReadonlySet<string> {
  return new Set(ids.filter((id) => table.has(id)));
}
