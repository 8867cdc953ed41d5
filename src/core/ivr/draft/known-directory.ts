import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import type { IvrBody } from '../../../contract/ivr.ts';
import type { State } from '../../state.ts';
import type { IvrDirectory } from '../ivr-directory.ts';
import { readReference, writeReference } from '../reference.ts';

/** What somebody wants to know of: the references as they are written, and the SMS templates. */
export interface Asked {
  readonly references: readonly string[];
  readonly smsTemplates: readonly string[];
}

/**
 * What this service knows of that: looked up instead of copied, so that a call costs the same however many extensions
 * there are.
 */
export function directoryAbout(state: State, { references, smsTemplates }: Asked): IvrDirectory {
  const read = references.map(readReference);
  const idsOf = (type: string) => read.flatMap((one) => (one?.type === type ? [one.id] : []));
  return {
    recordings: knownOf(idsOf('recording'), state.recordings),
    extensions: knownOf(idsOf('extension'), state.extensions),
    menus: knownOf(idsOf('ivr'), state.ivrs),
    smsTemplates: knownOf(smsTemplates, state.smsTemplates),
    smsTemplatesEnabled: state.settings.sms_templates_enabled,
  };
}

export function askedByBody(body: IvrBody): Asked {
  const played = [
    body.recording,
    body.invalid_recording,
    body.timeout_retry_recording,
    body.timeout_recording,
  ];
  const ledTo = [...body.destination, body.invalid_destination, body.timeout_destination];
  return { references: [...played, ...ledTo], smsTemplates: body.sms_template ?? [] };
}

export function askedByDocument({ nodes }: IvrDocument): Asked {
  const asked: { references: string[]; smsTemplates: string[] } = { references: [], smsTemplates: [] };
  for (const node of Object.values(nodes)) {
    if (node.kind === 'end') asked.references.push(writeReference({ type: node.type, id: node.ref }));
    else {
      const { recording, invalid_recording, timeout_retry_recording, timeout_recording, keys } = node;
      const played = [recording, invalid_recording, timeout_retry_recording, timeout_recording];
      asked.references.push(...played.filter((one) => one !== null));
      asked.smsTemplates.push(...keys.map((key) => key.sms_template).filter((one) => one !== null));
    }
  }
  return asked;
}

function knownOf(ids: readonly string[], table: { has(id: string): boolean }): ReadonlySet<string> {
  return new Set(ids.filter((id) => table.has(id)));
}
