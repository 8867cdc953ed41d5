import type { IvrBodyInput } from '../../contract/ivr.ts';

/** A menu to begin with: one key to an extension, one to a voicemail, and a way out of silence and wrong keys. */
export const exampleBody: IvrBodyInput = {
  name: 'Reception',
  description: 'Where every call begins',
  recording: 'recording||1',
  timeout: 5,
  option: ['1', '2'],
  destination: ['extension||101', 'voicemail||7'],
  incorrect_count: 2,
  invalid_recording: 'recording||2',
  invalid_destination: 'extension||100',
  timeout_retry_recording: 'recording||3',
  timeout_recording: 'recording||4',
  timeout_destination: 'hangup',
  timeout_tries: 1,
};
