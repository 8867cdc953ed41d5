import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import {
  defaultDestinationRules,
  DestinationRules,
  type DestinationRule,
  type PbxView,
  RoutedType,
} from '../../contract/pbx.ts';
import { readReference } from '../../contract/ivr-reference.ts';
import { routedTypeNames } from '../../text/pbx.ts';
import { pbxPageText } from '../../text/telephone-systems.ts';
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

/** Where calls continue in the dialplan when they leave a menu, a line for each type of destination. */
export function DestinationsCard({ pbx: { name, destinations } }: { pbx: PbxView }) {
  const form = useSchemaForm<DestinationRules, DestinationRules>(DestinationRules, destinations);
  const rules = useWatch({ control: form.control });
  const [isSaved, setSaved] = useState(false);
  const { errors, isSubmitting, isDirty } = form.formState;

  async function save(body: DestinationRules): Promise<void> {
    const changed = await askPortal('changePbx', { params: { name }, body: { destinations: body } });
    if (changed.kind !== 'ok') return refuseForm(form, types, changed, 'pbx_changed');
    form.reset(body);
    setSaved(true);
  }
  function reset(): void {
    for (const type of types)
      form.setValue(type, defaultDestinationRules[type], { shouldDirty: true, shouldValidate: true });
  }
  return (
    <Card title={text.title}>
      <Form form={form} onSend={save}>
        <p>
          <RichText text={text.lead} parts={{ id: <code>{'{id}'}</code> }} />
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
                  hint: text.result(exampleOf(type, rules[type])),
                }}
                face="code"
              />
            </li>
          ))}
        </Stack>
        <FormRefusal reason={errors.root?.message} />
        <Row gap={2} wraps align="center">
          <SubmitButton isBusy={isSubmitting}>{isSubmitting ? text.saving : text.save}</SubmitButton>
          <Button onPress={reset}>{text.reset}</Button>
          <Text role="status" tone="good">
            {isSaved && !isDirty ? text.saved : null}
          </Text>
        </Row>
      </Form>
    </Card>
  );
}

/** Where the example of a type continues: `101 in from-internal`. */
function exampleOf(type: RoutedType, rule: Partial<DestinationRule> | undefined): string {
  const id = readReference(text.examples[type])?.id ?? '';
  return `${(rule?.extension ?? '').replaceAll('{id}', id)}@${rule?.context ?? ''}`;
}
