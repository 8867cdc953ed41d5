import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import {
  ChangedRules,
  type DialplanKind,
  type DestinationRule,
  type DestinationRules,
  type PbxView,
  RoutedType,
  rulesOf,
} from '../../contract/calls/pbx.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import { routedTypeNames } from '../../text/calls/pbx-text.ts';
import { pbxPageText } from '../../text/calls/telephone-systems.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button, SubmitButton } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Form, FormText, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import styles from './pbx.module.css';

const { destinations: text } = pbxPageText;
const types = RoutedType.options;

/** Two empty fields: there is no such place. */
type Fields = Record<RoutedType, DestinationRule>;
const FieldRules: z.ZodType<ChangedRules, Fields> = z.preprocess(
  (fields: Fields) =>
    Object.fromEntries(
      types.map((type) => {
        const { context, extension } = fields[type];
        return [type, context === '' && extension === '' ? null : { context, extension }];
      }),
    ),
  ChangedRules,
);

function fieldsOf(rules: DestinationRules): Fields {
  const none = { context: '', extension: '' };
  return Object.fromEntries(types.map((type) => [type, rules[type] ?? none])) as Fields;
}

/** Where calls continue in the dialplan when they leave a menu, a line for each type of destination. */
export function DestinationsCard({ pbx: { name, destinations } }: { pbx: PbxView }) {
  const form = useSchemaForm<Fields, ChangedRules>(FieldRules, fieldsOf(destinations));
  const rules = useWatch({ control: form.control });
  const [isSaved, setSaved] = useState(false);
  const { errors, isSubmitting, isDirty } = form.formState;

  async function save(body: ChangedRules): Promise<void> {
    const changed = await askPortal('changePbx', { params: { name }, body: { destinations: body } });
    if (changed.kind !== 'ok') return refuseForm(form, types, changed, 'pbx_changed');
    form.reset(fieldsOf(changed.value.destinations));
    setSaved(true);
  }
  function reset(kind: DialplanKind): void {
    const defaults = fieldsOf(rulesOf[kind]);
    for (const type of types)
      form.setValue(type, defaults[type], { shouldDirty: true, shouldValidate: true });
  }
  return (
    <Card title={text.title}>
      <Form form={form} onSend={save}>
        <p>
          <RichText
            text={text.lead}
            parts={{ id: <code>{'{id}'}</code>, digits: <code>{'{digits}'}</code> }}
          />
        </p>
        <Stack as="ul" gap={4}>
          {types.map((type) => (
            <li key={type} className={styles['rule']}>
              <div>
                <Text weight="strong">{routedTypeNames[type]}</Text>
                <Text as="code" tone="soft" size="small">
                  {text.examples[type]}
                </Text>
              </div>
              <FormText
                name={`${type}.context`}
                text={{
                  label: text.field(routedTypeNames[type], text.context),
                  subject: text.contextSubject,
                }}
                face="code"
              />
              <FormText
                name={`${type}.extension`}
                text={{
                  label: text.field(routedTypeNames[type], text.extension),
                  subject: text.extensionSubject,
                  hint: exampleOf(type, rules[type]),
                }}
                face="code"
              />
            </li>
          ))}
        </Stack>
        <FormRefusal reason={errors.root?.message} />
        <Row gap={2} wraps align="center">
          <SubmitButton isBusy={isSubmitting}>{isSubmitting ? text.saving : text.save}</SubmitButton>
          <Button onPress={() => reset('freepbx')}>{text.reset.freepbx}</Button>
          <Button onPress={() => reset('asterisk')}>{text.reset.asterisk}</Button>
          <Text role="status" tone="good">
            {isSaved && !isDirty ? text.saved : null}
          </Text>
        </Row>
      </Form>
    </Card>
  );
}

/** Where the example of a type continues: `101@from-internal`. */
function exampleOf(type: RoutedType, rule: Partial<DestinationRule> | undefined): string {
  const { context = '', extension = '' } = rule ?? {};
  if (context === '' && extension === '') return text.none;
  const id = readReference(text.examples[type])?.id ?? '';
  return text.result(`${extension.replaceAll('{id}', id)}@${context}`);
}
