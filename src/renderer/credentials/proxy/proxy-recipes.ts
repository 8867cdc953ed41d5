import type { NewAppToken } from '../../../contract/proxy.ts';
import { providerWords } from '../../../providers/catalogue.ts';
import { agentInstruction, type ProxyRecipeKind } from '../../../text/proxy.ts';

/** Sets both variables in a shell. */
export function exportLine({ url, token }: Pick<NewAppToken, 'url' | 'token'>): string {
  return `export ROTAVOX_PROXY_URL=${url} ROTAVOX_PROXY_TOKEN=${token}`;
}

interface RecipeOrder {
  readonly name: string;
  readonly provider: string;
}

/** Lines that use the two variables, as they are: they have neither the token nor the address. */
export function proxyRecipe(kind: ProxyRecipeKind, { name, provider }: RecipeOrder): string {
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
