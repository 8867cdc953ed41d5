import { useRef } from 'react';
import { type Resolver, useWatch } from 'react-hook-form';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import {
  AddProxyRule,
  proxyMethods,
  type ProxyUse,
  type ProxyView,
  type RuleTrial,
} from '../../../contract/credential/proxy.ts';
import { needsFolder, rulesInFolder } from '../../../contract/credential/ready-rules.ts';
import { invariant } from '../../../core/unreachable.ts';
import { readyTitle, ruleDialogText as text, trialText } from '../../../text/credential/proxy-text.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Form, FormText, refuseForm, useCheckedForm } from '../../kit/form.tsx';
import inputStyles from '../../kit/input.module.css';
import { Row, Stack } from '../../kit/layout.tsx';
import type { PortalReply } from '../../kit/read-portal.ts';
import { Text } from '../../kit/text.tsx';
import { Tick } from '../../kit/choice.tsx';
import { type Preview, PreviewBox, usePreview } from '../preview.tsx';
import { useKnownProxy } from '../read-credentials.ts';

interface RuleDraft {
  /** The name of ready rules; empty: a rule of one's own. */
  readonly ready: string;
  readonly folder: string;
  readonly method: AddProxyRule['method'];
  readonly path: string;
  /** Empty: every app. */
  readonly app: string;
  readonly isPrivate: boolean;
  readonly isScrubbed: boolean;
  /** The rules with parts that name credentials or rights to which the person agrees. */
  readonly agreedTo: string;
}

const emptyRule: RuleDraft = {
  ready: '',
  folder: '',
  method: 'GET',
  path: '',
  app: '',
  isPrivate: false,
  isScrubbed: false,
  agreedTo: '',
};

/** The rule that allows no more than such requests of its app. */
function ruleFor({ method, route, app }: ProxyUse): RuleDraft {
  return { ...emptyRule, method: proxyMethods.find((one) => one === method) ?? 'GET', path: route, app };
}

type ReadySet = ProxyView['ready'][number];

/** Adds a rule, or the ready rules for something that apps usually do; what they would have allowed is shown before. */
export function RuleDialog({
  one,
  view,
  refused,
  onClose,
}: {
  one: CredentialView;
  view: ProxyView;
  /** A request that was refused and is to be allowed from now on; null: none. */
  refused: ProxyUse | null;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { ready } = view;
  const first = refused === null ? { ...emptyRule, ready: ready[0]?.id ?? '' } : ruleFor(refused);
  const form = useCheckedForm<RuleDraft, { rules: AddProxyRule[] }>(checkRules(ready), first);
  const show = useKnownProxy(one.name);
  const draft = { ...first, ...useWatch({ control: form.control }) };
  const read = readRules(draft, ready);
  const trial = usePreview(read.rules ?? null, (rules, signal) => tryRules(one.name, rules, signal));
  const rights = trial.kind === 'told' ? trial.value.names_rights : [];
  const asked = JSON.stringify(read.rules ?? []);
  const isAgreed = draft.agreedTo === asked;
  const { errors, isSubmitting } = form.formState;
  const apps = [
    ...new Set([...view.tokens.map(({ app }) => app), ...(refused === null ? [] : [refused.app])]),
  ];
  const set = ready.find(({ id }) => id === draft.ready);
  const addLabel = set === undefined ? text.add : text.addSeveral;
  const field = set === undefined ? 'path' : 'folder';

  async function add({ rules }: { rules: AddProxyRule[] }): Promise<void> {
    if (rights.length > 0 && !isAgreed) {
      form.setError('root', { message: text.rights.missing });
      return;
    }
    for (const rule of rules) {
      const body = isAgreed ? { ...rule, confirmed: true } : rule;
      const added = await askPortal('addProxyRule', { params: { name: one.name }, body });
      if (added.kind !== 'ok') {
        refuseForm(form, [field], added, 'proxy_changed');
        return;
      }
      show(added.value);
    }
    ref.current?.close();
  }
  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !isSubmitting} onClose={onClose}>
      <Form form={form} onSend={add}>
        {ready.length === 0 ? null : (
          <Field label={text.ready.label}>
            {(tied) => (
              <select {...tied} {...form.register('ready')} className={inputStyles['input']}>
                {ready.map((each) => (
                  <option key={each.id} value={each.id}>
                    {readyTitle(each)}
                  </option>
                ))}
                <option value="">{text.ready.own}</option>
              </select>
            )}
          </Field>
        )}
        {set === undefined ? (
          <>
            <Field label={text.method.label}>
              {(tied) => (
                <select {...tied} {...form.register('method')} className={inputStyles['input']}>
                  {proxyMethods.map((method) => (
                    <option key={method}>{method}</option>
                  ))}
                </select>
              )}
            </Field>
            <FormText name="path" text={text.path} face="code" isRequired />
          </>
        ) : (
          <>
            {needsFolder(set) ? <FormText name="folder" text={text.folder} face="code" isRequired /> : null}
            <Stack as="section" gap={1} aria-label={text.allows}>
              <Text tone="soft" size="small">
                {text.allows}
              </Text>
              <ul>
                {(read.rules ?? set.rules).map(({ method, path }) => (
                  <Text key={`${method} ${path}`} as="li" size="small" breaks>
                    <code>{`${method} ${path}`}</code>
                  </Text>
                ))}
              </ul>
            </Stack>
          </>
        )}
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
        {rights.length === 0 ? null : (
          <Tick
            label={text.rights.label}
            hint={text.rights.lead(rights)}
            isOn={isAgreed}
            onChange={(isOn) => form.setValue('agreedTo', isOn ? asked : '')}
          />
        )}
        <TrialBox trial={trial} />
        <DialogButtons>
          <FormRefusal reason={errors.root?.message} />
          <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
          <SubmitButton isBusy={isSubmitting}>{isSubmitting ? text.adding : addLabel}</SubmitButton>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/** The rules of a draft, or what is wrong in which field. */
function readRules(
  { ready, folder, method, path, app, isPrivate, isScrubbed }: RuleDraft,
  sets: readonly ReadySet[],
): {
  readonly rules?: AddProxyRule[];
  readonly wrong?: { readonly field: string; readonly message: string };
} {
  const set = sets.find(({ id }) => id === ready);
  const parts = set === undefined ? [{ method, path: path.trim() }] : rulesInFolder(set, folder.trim());
  if (parts === null) return { wrong: { field: 'folder', message: text.folder.missing } };
  const read = AddProxyRule.array().safeParse(
    parts.map((part) => ({
      ...part,
      app: app === '' ? null : app,
      private_network: isPrivate,
      ...(isScrubbed ? { scrub: true } : {}),
    })),
  );
  if (read.success) return { rules: read.data };
  const [issue] = read.error.issues;
  const field = set === undefined ? String(issue?.path[1]) : 'folder';
  return { wrong: { field, message: issue?.message ?? '' } };
}

function checkRules(sets: readonly ReadySet[]): Resolver<RuleDraft, unknown, { rules: AddProxyRule[] }> {
  return (draft) => {
    const { rules, wrong } = readRules(draft, sets);
    if (rules !== undefined) return { values: { rules }, errors: {} };
    const errors = wrong === undefined ? {} : { [wrong.field]: { type: 'schema', message: wrong.message } };
    return { values: {}, errors };
  };
}

/** What several rules would have done, together. A request that two of them allow counts twice, as far as there are as many. */
async function tryRules(
  name: string,
  rules: readonly AddProxyRule[],
  signal: AbortSignal,
): Promise<PortalReply<RuleTrial>> {
  let sum: RuleTrial | null = null;
  for (const body of rules) {
    const tried = await askPortal('tryProxyRule', { params: { name }, body, signal });
    if (tried.kind !== 'ok') return tried;
    sum = sum === null ? tried.value : addedTrial(sum, tried.value);
  }
  invariant(sum !== null, 'ready rules have at least one rule');
  return { kind: 'ok', value: sum };
}

function addedTrial(one: RuleTrial, other: RuleTrial): RuleTrial {
  const routes = new Map(
    [...one.routes, ...other.routes].map((each) => [`${each.method} ${each.route}`, each]),
  );
  const most = (a: number, b: number) => Math.min(one.requests, a + b);
  return {
    requests: one.requests,
    allowed: most(one.allowed, other.allowed),
    newly_allowed: most(one.newly_allowed, other.newly_allowed),
    forbidden: most(one.forbidden, other.forbidden),
    routes: [...routes.values()],
    names_rights: [...new Set([...one.names_rights, ...other.names_rights])],
  };
}

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
