import { defaultSettings } from '../../../contract/settings.ts';
import { defaultPolicyOf } from '../../../core/settings/default-policy.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { Tick } from '../../kit/tick.tsx';
import { presentSettings } from '../../settings/read-settings.ts';
import { noLife } from '../life-draft.ts';
import { LifeFields } from '../life-fields.tsx';
import { draftOf, policyWords } from '../policy-draft.ts';
import { PolicyFields } from '../policy-fields.tsx';
import type { AddDraft, AddErrors } from './add-draft.ts';
import styles from './add-form.module.css';

/** What need not be said: when the token ends, and when it is replaced. */
export function AddOptions({
  draft,
  errors,
  onChange,
}: {
  draft: AddDraft;
  errors: AddErrors;
  onChange: (changes: Partial<AddDraft>) => void;
}) {
  const settings = useLive(presentSettings).known?.value ?? defaultSettings;
  const usual = defaultPolicyOf(settings);
  const needsLife = errors.expires_at !== undefined && draft.life === null;
  return (
    <>
      <div className={styles['option']}>
        <Tick
          label="Say when it ends"
          hint="Only needed where its service does not tell; the service’s own word counts more."
          isOn={draft.life !== null || needsLife}
          onChange={(isOn) => onChange({ life: isOn ? noLife : null })}
        />
        {draft.life !== null || needsLife ? (
          <div className={styles['inset']}>
            <LifeFields
              draft={draft.life ?? noLife}
              errors={errors}
              onChange={(life) => onChange({ life })}
            />
          </div>
        ) : null}
      </div>
      <div className={styles['option']}>
        <Tick
          label="Choose when it is replaced"
          hint={`Else ${policyWords(usual)}, as the settings have it. You can change it later.`}
          isOn={draft.policy !== null}
          onChange={(isOn) => onChange({ policy: isOn ? draftOf(usual) : null })}
        />
        {draft.policy === null ? null : (
          <div className={styles['inset']}>
            <PolicyFields
              draft={draft.policy}
              error={errors.policy}
              meaning="A little earlier or later, so that tokens that were added together are not replaced together."
              onChange={(policy) => onChange({ policy })}
            />
          </div>
        )}
      </div>
    </>
  );
}
