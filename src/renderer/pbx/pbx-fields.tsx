import { useFormContext, useWatch } from 'react-hook-form';
import { loopbackNames } from '../../contract/address.ts';
import { pbxSetupText } from '../../text/calls/telephone-systems.ts';
import { SecretField } from '../credentials/token-fields.tsx';
import { FieldPair, FormText } from '../kit/form.tsx';
import { Tick } from '../kit/choice.tsx';
import type { CallStart } from '../../core/calls/call-starts.ts';
import { useHoursTexts } from '../hours/schedules.ts';
import { callStartText, distinctTitles } from '../../text/menu/phone-menu.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';

const { fields: text } = pbxSetupText;

/** Where a telephone system is and who signs in there. An unencrypted password needs the person's consent. */
export function PbxFields({ isPasswordKept }: { isPasswordKept: boolean }) {
  const form = useFormContext();
  const [url, isInsecure] = useWatch({ control: form.control, name: ['url', 'insecure_http'] }) as [
    unknown,
    unknown,
  ];
  return (
    <>
      <FormText name="url" text={text.url} face="code" inputMode="url" isRequired />
      {isUnencrypted(typeof url === 'string' ? url : '') ? (
        <Tick
          {...text.insecure}
          isOn={isInsecure === true}
          onChange={(isOn) => form.setValue('insecure_http', isOn, { shouldDirty: true })}
        />
      ) : null}
      <FieldPair>
        <FormText name="user" text={text.user} face="code" isRequired />
        <SecretField
          {...text.password}
          hint={isPasswordKept ? text.password.keepHint : text.password.hint}
          name="password"
          isRequired={!isPasswordKept}
        />
      </FieldPair>
    </>
  );
}

/** Whether a password would go over a network as it is. */
function isUnencrypted(address: string): boolean {
  const url = URL.parse(address.trim());
  return url?.protocol === 'http:' && !loopbackNames.includes(url.hostname.replace(/^\[|\]$/g, ''));
}

/** A choice among published menus and call flows, each with what its callers meet now. `label`: what the menu is for. */
export function MenuChoice({
  label,
  menus,
  chosen,
  onChoose,
}: {
  label: string;
  menus: readonly CallStart[];
  chosen: CallStart;
  onChoose: (id: string) => void;
}) {
  const titles = distinctTitles(menus);
  const hours = useHoursTexts(menus.filter((one) => 'kind' in one));
  return (
    <Field label={label}>
      {(tied) => (
        <select
          {...tied}
          className={inputStyles['input']}
          value={chosen.id}
          onChange={({ target }) => onChoose(target.value)}
        >
          {menus.map((one) => (
            <option key={one.id} value={one.id}>
              {callStartText(titles.get(one.id) ?? one.name, hours.get(one.id))}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
