import { z } from 'zod';
import { NodeId, ScenarioId } from './ivr-draft.ts';

/** What can be wrong with a phone menu, before a caller meets it. */
export const IvrProblemCode = z.enum([
  /** A field that the body needs is open, or holds what the body does not allow. */
  'field_open',
  'field_not_allowed',
  /** The caller is connected with nothing. */
  'no_start',
  'no_keys',
  'key_not_allowed',
  'key_twice',
  /** A key, a wrong key or silence leads nowhere. */
  'destination_open',
  /** A line to a node that is not there any more. */
  'node_unknown',
  /** No call ever comes here. */
  'unreachable',
  /** Whoever comes here meets menus only, for ever. */
  'no_way_out',
  /** Whoever presses none of the keys goes round for ever. */
  'endless_without_key',
  /** A prompt that no caller can ever hear. */
  'never_played',
  /** Not in the directory: it may live on the telephone system. */
  'recording_unknown',
  'extension_unknown',
  'menu_unknown',
  'sms_template_unknown',
  /** There are SMS templates, and the setting for them is off. */
  'sms_setting_off',
  'scenario_failed',
]);
export type IvrProblemCode = z.infer<typeof IvrProblemCode>;

/** One thing that is wrong, and where. */
export const IvrProblem = z.object({
  code: IvrProblemCode,
  /** An error keeps the draft from being published; a warning does not. */
  severity: z.enum(['error', 'warning']),
  /** A path into the document, such as `nodes.reception.keys.0.to`. */
  path: z.string(),
  /** The node that it is about, for going there. */
  node: NodeId.nullable(),
  /** The field of the body, such as `destination[0]`, where there is one. */
  field: z.string().nullable(),
  scenario: ScenarioId.nullable(),
  /** What is wrong and what to do, for a person. */
  message: z.string(),
});
export type IvrProblem = z.infer<typeof IvrProblem>;
