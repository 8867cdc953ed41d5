import { settingFormatOf, settingFormats } from '../../../contract/credential/setting-key.ts';
import { settingFieldsText as text } from '../../../text/credential/targets.ts';
import { Choice, Tick } from '../../kit/choice.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FormText } from '../../kit/form.tsx';

/** The part of a draft that is about one value of a settings file. */
export interface SettingDraft {
  readonly key: string;
  /** `name`: what the name of the file says. */
  readonly format: 'name' | (typeof settingFormats)[number];
  /** Empty: the token alone. */
  readonly template: string;
  readonly base64: boolean;
  readonly create: boolean;
}

export const emptySetting: SettingDraft = {
  key: '',
  format: 'name',
  template: '',
  base64: false,
  create: false,
};

/** As a target has it: what is as usual is left out. */
export function settingOf({ key, format, template, base64, create }: SettingDraft): Record<string, unknown> {
  return {
    key: key.trim(),
    ...(format === 'name' ? {} : { format }),
    ...(template === '' ? {} : { template }),
    ...(base64 ? { encoding: 'base64' } : {}),
    ...(create ? { create } : {}),
  };
}

/** Which value of the file it is, and how it is written. */
export function SettingFields({
  draft,
  onChange,
}: {
  draft: SettingDraft & { readonly path: string };
  onChange: (changes: Partial<SettingDraft>) => void;
}) {
  const named = settingFormatOf(draft.path.trim());
  const formats = (['name', ...settingFormats] as const).map((value) => ({
    value,
    label: value === 'name' ? text.byName(named) : text.formats[value],
  }));
  const isIni = (draft.format === 'name' ? named : draft.format) === 'ini';
  return (
    <>
      <FieldGroup legend={text.format}>
        <Choice options={formats} value={draft.format} onChange={(format) => onChange({ format })} />
      </FieldGroup>
      <FormText
        name="key"
        text={{ ...text.key, hint: isIni ? text.key.hints.ini : text.key.hints.dotted }}
        face="code"
        isRequired
      />
      <FormText name="template" text={text.template} face="code" />
      <Tick {...text.base64} isOn={draft.base64} onChange={(base64) => onChange({ base64 })} />
      <Tick {...text.create} isOn={draft.create} onChange={(create) => onChange({ create })} />
    </>
  );
}
