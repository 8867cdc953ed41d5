import { providerWords } from '../../../providers/catalogue.ts';
import { useRef, useState } from 'react';
import { z } from 'zod';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { AppName, defaultAppTokenSeconds, type NewAppToken } from '../../../contract/credential/proxy.ts';
import {
  agentInstruction,
  appDialogText as text,
  type ProxyRecipeKind,
  proxyRecipeKinds,
  proxyRecipeLabels,
  proxyRecipeNotes,
} from '../../../text/credential/proxy-text.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { CodeBlock, CodeText } from '../../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Form, FormText, refuseForm, useSchemaForm } from '../../kit/form.tsx';
import inputStyles from '../../kit/input.module.css';
import { Stack } from '../../kit/layout.tsx';
import { SecretValue } from '../../kit/secret-value.tsx';
import { Text } from '../../kit/text.tsx';

const AppForm = z.object({ app: AppName, seconds: z.string() });
const kinds = proxyRecipeKinds.map((kind) => ({ value: kind, label: proxyRecipeLabels[kind] }));

/** Issues an app token, shows it once, and shows lines that use it. */
export function AppDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [issued, setIssued] = useState<NewAppToken | null>(null);
  return (
    <Dialog
      ref={ref}
      title={issued === null ? text.title : text.issuedTitle}
      mayClose={() => true}
      onClose={onClose}
    >
      {issued === null ? (
        <AppFields one={one} onIssued={setIssued} onCancel={() => ref.current?.close()} />
      ) : (
        <Issued one={one} issued={issued} onDone={() => ref.current?.close()} />
      )}
    </Dialog>
  );
}

function AppFields({
  one,
  onIssued,
  onCancel,
}: {
  one: CredentialView;
  onIssued: (token: NewAppToken) => void;
  onCancel: () => void;
}) {
  const form = useSchemaForm(AppForm, { app: '', seconds: String(defaultAppTokenSeconds) });
  const { errors, isSubmitting } = form.formState;

  async function issue({ app, seconds }: z.output<typeof AppForm>): Promise<void> {
    const body = { app, expires_in: Number(seconds) };
    const reply = await askPortal('issueAppToken', { params: { name: one.name }, body });
    if (reply.kind === 'ok') onIssued(reply.value);
    else refuseForm(form, ['app'], reply, 'proxy_changed');
  }
  return (
    <Form form={form} onSend={issue}>
      <FormText name="app" text={text.app} isRequired />
      <Field label={text.expires}>
        {(tied) => (
          <select {...tied} {...form.register('seconds')} className={inputStyles['input']}>
            {Object.entries(text.spans).map(([seconds, label]) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <DialogButtons>
        <FormRefusal reason={errors.root?.message} />
        <Button onPress={onCancel}>{text.cancel}</Button>
        <SubmitButton isBusy={isSubmitting}>{isSubmitting ? text.issuing : text.issue}</SubmitButton>
      </DialogButtons>
    </Form>
  );
}

function Issued({ one, issued, onDone }: { one: CredentialView; issued: NewAppToken; onDone: () => void }) {
  const [kind, setKind] = useState<ProxyRecipeKind>('curl');
  const recipe = proxyRecipe(kind, { name: one.name, provider: one.provider.id });
  return (
    <Stack gap={4}>
      <Text>{text.once}</Text>
      <SecretValue value={issued.token} what={text.token} onCopied={() => undefined} />
      <Text tone="soft" size="medium">
        {text.shell}
      </Text>
      <SecretValue value={exportLine(issued)} what={text.lines} rank="plain" onCopied={() => undefined} />
      <Text tone="soft" size="medium">
        {text.recipe}
      </Text>
      <div role="group" aria-label={text.kind}>
        <Choice options={kinds} value={kind} onChange={setKind} />
      </div>
      <CodeBlock text={recipe} what={text.copy(proxyRecipeLabels[kind])} />
      <Text tone="soft" size="medium" breaks>
        <CodeText text={proxyRecipeNotes[kind]} />
      </Text>
      <DialogButtons>
        <Button rank="main" onPress={onDone}>
          {text.done}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

/** Sets both variables in a shell. */
function exportLine({ url, token }: Pick<NewAppToken, 'url' | 'token'>): string {
  return `export ROTAVOX_PROXY_URL=${url} ROTAVOX_PROXY_TOKEN=${token}`;
}

interface RecipeOrder {
  readonly name: string;
  readonly provider: string;
}

/** Lines that use the two variables, as they are: they have neither the token nor the address. */
function proxyRecipe(kind: ProxyRecipeKind, { name, provider }: RecipeOrder): string {
  const known = providerWords(provider).proxyRecipes;
  switch (kind) {
    case 'curl':
      return known?.curl ?? 'curl --oauth2-bearer "$ROTAVOX_PROXY_TOKEN" "$ROTAVOX_PROXY_URL/"';
    case 'node':
      return known?.node ?? plainNode;
    case 'python':
      return known?.python ?? plainPython;
    case 'docker':
      return 'docker run --rm --network host -e ROTAVOX_PROXY_URL -e ROTAVOX_PROXY_TOKEN IMAGE';
    case 'agent':
      return agentInstruction(name);
  }
}

const plainNode = [
  'const { ROTAVOX_PROXY_URL: baseURL, ROTAVOX_PROXY_TOKEN: apiKey } = process.env;',
  'const reply = await fetch(`${baseURL}/`, { headers: { authorization: `Bearer ${apiKey}` } });',
  'console.log(reply.status, await reply.text());',
].join('\n');

const plainPython = [
  'import os',
  'from urllib.request import Request, urlopen',
  '',
  "base_url, api_key = os.environ['ROTAVOX_PROXY_URL'], os.environ['ROTAVOX_PROXY_TOKEN']",
  "call = Request(f'{base_url}/', headers={'Authorization': f'Bearer {api_key}'})",
  'print(urlopen(call).read().decode())',
].join('\n');
