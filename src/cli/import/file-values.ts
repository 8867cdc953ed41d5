import { settingProblem, variableProblem } from '../../agent/delivery/deliver.ts';
import { VariableRefused } from '../../agent/delivery/delivery-outcome.ts';
import { isOtherFormat, listVariables } from '../../agent/delivery/dotenv-file.ts';
import { keepsContent } from '../../agent/delivery/keeps-content.ts';
import { listSettings } from '../../agent/delivery/setting/list-settings.ts';
import { type SettingPath, SettingRefused } from '../../agent/delivery/setting/setting-source.ts';
import type { DeliveryTarget } from '../../contract/credential/credential.ts';
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import type { SettingFormat } from '../../contract/credential/setting-key.ts';

/** A text of a file that a target can write. */
export interface FileValue {
  readonly path: SettingPath;
  /** As a target names it. */
  readonly key: string;
  readonly text: string;
  readonly line: () => number | null;
}

export type FileValues =
  | {
      readonly ok: true;
      readonly entries: readonly FileValue[];
      /** Of a settings file: maps are `Map`, lists are arrays. */
      readonly values: unknown;
      /** Null: a delivery of this token would leave every byte as it is; otherwise why not. */
      readonly refusalOf: (
        target: DeliveryTarget,
        token: string,
      ) => Promise<DeliveryProblem | { readonly code: 'would_change' } | null>;
    }
  | { readonly ok: false; readonly problem: DeliveryProblem };

/** The texts of a file, read as a target reads it: what would be written later is what is found now. */
export async function listValues(
  path: string,
  format: SettingFormat | 'dotenv',
  content: Buffer,
): Promise<FileValues> {
  const refusalOf = async (target: DeliveryTarget, token: string) => {
    if (target.kind !== 'dotenv' && target.kind !== 'setting') return null;
    const kept = await keepsContent(target, token, content);
    return kept === true ? null : kept;
  };
  try {
    if (format !== 'dotenv') return { ok: true, ...(await listSettings(path, format, content)), refusalOf };
    if (isOtherFormat(path)) throw new VariableRefused('NOT_DOTENV');
    const entries = listVariables(content).map(({ variable, line, value }) => ({
      path: [variable],
      key: variable,
      text: value,
      line: () => line,
    }));
    return { ok: true, entries, values: null, refusalOf };
  } catch (error) {
    if (error instanceof SettingRefused)
      return { ok: false, problem: settingProblem(error, { path, key: '' }) };
    if (error instanceof VariableRefused) return { ok: false, problem: variableProblem(error, path, '') };
    throw error;
  }
}
