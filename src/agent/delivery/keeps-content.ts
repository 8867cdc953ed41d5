import type { DeliveryTargetOf } from '../../contract/credential/credential.ts';
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import { dotenvContentOf, settingProblem, variableProblem } from './deliver.ts';
import { VariableRefused } from './delivery-outcome.ts';
import { settingEditor } from './setting/edit-setting.ts';
import { SettingRefused } from './setting/setting-source.ts';

/**
 * Whether a delivery of this token would write the very bytes that the file has now: then the target can be added, and no program that
 * reads the file sees a difference. Otherwise why not; nothing is written.
 */
export async function keepsContent(
  target: DeliveryTargetOf<'dotenv' | 'setting'>,
  token: string,
  content: Buffer,
): Promise<true | DeliveryProblem | { readonly code: 'would_change' }> {
  try {
    const after =
      target.kind === 'dotenv'
        ? dotenvContentOf(target.path, target.variable, token)(content)
        : (await settingEditor(target, token))(content).content;
    return after.equals(content) || { code: 'would_change' };
  } catch (error) {
    if (error instanceof SettingRefused && target.kind === 'setting') return settingProblem(error, target);
    if (error instanceof VariableRefused && target.kind === 'dotenv')
      return variableProblem(error, target.path, target.variable);
    throw error;
  }
}
