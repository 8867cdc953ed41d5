import { useRef } from 'react';
import { type Resolver, useWatch } from 'react-hook-form';
import type { CredentialView } from '../../../contract/credential-view.ts';
import { AddProxyRule, proxyMethods, type ProxyView, type RuleTrial } from '../../../contract/proxy.ts';
import { ruleDialogText as text, trialText } from '../../../text/proxy.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Form, FormText, refuseForm, useCheckedForm } from '../../kit/form.tsx';
import inputStyles from '../../kit/input.module.css';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { Tick } from '../../kit/tick.tsx';
import { type Preview, PreviewBox, usePreview } from '../preview.tsx';
import { useKnownProxy } from './proxy-resource.ts';

interface RuleDraft {
  readonly method: AddProxyRule['method'];
  readonly path: string;
  /** Empty: every app. */
  readonly app: string;
  readonly isPrivate: boolean;
  readonly isScrubbed: boolean;
}

const emptyRule: RuleDraft = { method: 'GET', path: '/**', app: '', isPrivate: false, isScrubbed: false };

/** Adds a rule; what it would have allowed is shown before. */
export function RuleDialog({
  one,
  view,
  onClose,
}: {
  one: CredentialView;
  view: ProxyView;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const form = useCheckedForm<RuleDraft, AddProxyRule>(checkRule, emptyRule);
  const show = useKnownProxy(one.name);
  const draft = { ...emptyRule, ...useWatch({ control: form.control }) };
  const trial = usePreview(readRule(draft).data ?? null, (body, signal) =>
    askPortal('tryProxyRule', { params: { name: one.name }, body, signal }),
  );
  const { errors, isSubmitting } = form.formState;
  const apps = [...new Set(view.tokens.map(({ app }) => app))];

  async function add(rule: AddProxyRule): Promise<void> {
    const added = await askPortal('addProxyRule', { params: { name: one.name }, body: rule });
    if (added.kind === 'ok') {
      show(added.value);
      ref.current?.close();
    } else refuseForm(form, ['path'], added, 'proxy_changed');
  }
  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !isSubmitting} onClose={onClose}>
      <Form form={form} onSend={add}>
        <Field label={text.method.label}>
          {(tied) => (
            <select {...tied} {...form.register('method')} className={inputStyles['input']}>
              {proxyMethods.map((method) => (
                <option key={method}>{method}</option>
              ))}
              <option value="*">{text.method.any}</option>
            </select>
          )}
        </Field>
        <FormText name="path" text={text.path} face="code" isRequired />
        {apps.length === 0 ? null : (
          <Field label={text.app.label}>
            {(tied) => (
              <select {...tied} {...form.register('app')} className={inputStyles['input']}>
                <option value="">{text.app.every}</option>
                {apps.map((app) => (
                  <option key={app}>{app}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        {one.base_url.startsWith('https:') ? (
          <Tick
            label={text.privateNetwork.label}
            hint={text.privateNetwork.hint}
            isOn={draft.isPrivate}
            onChange={(isOn) => form.setValue('isPrivate', isOn)}
          />
        ) : null}
        <Tick
          label={text.scrub.label}
          hint={text.scrub.hint}
          isOn={draft.isScrubbed}
          onChange={(isOn) => form.setValue('isScrubbed', isOn)}
        />
        <TrialBox trial={trial} />
        <DialogButtons>
          <FormRefusal reason={errors.root?.message} />
          <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
          <SubmitButton isBusy={isSubmitting}>{isSubmitting ? text.adding : text.add}</SubmitButton>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

function readRule({
  method,
  path,
  app,
  isPrivate,
  isScrubbed,
}: RuleDraft): ReturnType<typeof AddProxyRule.safeParse> {
  return AddProxyRule.safeParse({
    method,
    path: path.trim(),
    app: app === '' ? null : app,
    private_network: isPrivate,
    ...(isScrubbed ? { scrub: true } : {}),
  });
}

const checkRule: Resolver<RuleDraft, unknown, AddProxyRule> = (draft) => {
  const read = readRule(draft);
  if (read.success) return { values: read.data, errors: {} };
  const errors = Object.fromEntries(
    read.error.issues
      .toReversed()
      .map(({ path: [field], message }) => [String(field), { type: 'schema', message }]),
  );
  return { values: {}, errors };
};

function TrialBox({ trial }: { trial: Preview<RuleTrial> }) {
  return (
    <PreviewBox title={text.trial} preview={trial}>
      <Text tone={trial.kind === 'told' ? 'plain' : 'soft'}>{sentenceOf(trial)}</Text>
      {trial.kind !== 'told' || trial.value.routes.length === 0 ? null : (
        <Stack as="ul" gap={1}>
          {trial.value.routes.map(({ method, route, count }) => (
            <Row key={`${method} ${route}`} as="li" gap={3} align="baseline">
              <Text as="span" tone="soft" size="small" isTabular>
                {text.times(count)}
              </Text>
              <Text as="span" size="small" breaks>
                <code>{`${method} ${route}`}</code>
              </Text>
            </Row>
          ))}
        </Stack>
      )}
    </PreviewBox>
  );
}

function sentenceOf(trial: Preview<RuleTrial>): string {
  switch (trial.kind) {
    case 'none':
      return text.none;
    case 'asking':
      return text.asking;
    case 'told':
      return trialText(trial.value);
    case 'refused':
      return trial.reason;
  }
}
