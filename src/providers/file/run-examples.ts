import { isDeepStrictEqual } from 'node:util';
import type { ProviderFile } from '../../contract/credential/provider-file.ts';
import type { ExampleProblem, FileExample } from '../../contract/credential/provider-file-example.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import type { CallResult, WebRequest } from '../http/service-caller.ts';
import { FileProvider } from './file-provider.ts';
import type { Attempt, FailedRotation } from '../provider-port.ts';

/** What an example came to. `problem` null: as it says. */
export interface ExampleResult {
  readonly title: string;
  readonly problem: ExampleProblem | null;
}

/** Plays the recorded examples of a file. Nothing is sent anywhere. */
export async function runExamples(file: ProviderFile): Promise<ExampleResult[]> {
  const results: ExampleResult[] = [];
  for (const example of file.examples) {
    results.push({ title: example.title, problem: await problemOf(file, example) });
  }
  return results;
}

async function problemOf(file: ProviderFile, example: FileExample): Promise<ExampleProblem | null> {
  const { given, exchanges, expect: wanted = {} } = example;
  const nowMs = Date.parse(given.now);
  const baseUrl = given.base_url ?? file.base_url ?? 'https://service.example';
  const player = new Player(example, baseUrl);
  const provider = new FileProvider(file, player, () => nowMs);
  const found = await play(provider, attemptOf(example, baseUrl), example);
  if (player.problem !== null) return player.problem;
  if (player.place < exchanges.length) {
    return { code: 'too_few', expected: exchanges.length, sent: player.place };
  }
  if (found.outcome !== example.outcome) {
    return { code: 'other_outcome', expected: example.outcome, found: found.outcome };
  }
  for (const [field, expected] of Object.entries(wanted)) {
    const value = found[field as keyof typeof wanted] ?? 'nothing';
    if (expected !== undefined && value !== expected)
      return { code: 'other_value', field, expected, found: value };
  }
  return null;
}

interface Found {
  readonly outcome: FileExample['outcome'];
  readonly value?: string;
  readonly id?: string;
  readonly ends?: string;
}

async function play(provider: FileProvider, attempt: Attempt, { step }: FileExample): Promise<Found> {
  switch (step) {
    case 'inspect': {
      const { reply } = await provider.inspect(attempt);
      if (reply.kind === 'refused') return { outcome: 'dead' };
      if (reply.kind === 'unreachable') return { outcome: 'unclear' };
      if (
        reply.kind === 'not_told' &&
        (reply.reason.code === 'no_such_call' || reply.reason.code === 'redirected')
      ) {
        return { outcome: 'misconfigured' };
      }
      const id = reply.upstreamId === undefined ? {} : { id: reply.upstreamId };
      const ends = reply.kind === 'known' ? { ends: isoInstant(reply.expiresAtMs) } : {};
      return { outcome: 'success', ...id, ...ends };
    }
    case 'mint':
    case 'renew': {
      const minted = await (step === 'renew' ? provider.renew(attempt) : provider.rotate(attempt));
      if (!minted.ok) return { outcome: outcomeOf(minted.refusal) };
      const { token, upstreamId, expiresAtMs } = minted.value;
      return {
        outcome: 'success',
        value: token,
        ...(upstreamId === undefined ? {} : { id: upstreamId }),
        ...(expiresAtMs === null ? {} : { ends: isoInstant(expiresAtMs) }),
      };
    }
    case 'reconcile': {
      const reconciled = await provider.reconcile(attempt);
      if (reconciled.kind === 'unclear') return { outcome: outcomeOf(reconciled.failure) };
      return { outcome: reconciled.kind === 'lost' ? 'dead' : 'success' };
    }
    case 'retire': {
      const retired = await provider.end(attempt, { by: 'id', id: attempt.upstreamId ?? '' });
      if (!retired.ok) return { outcome: outcomeOf(retired.refusal) };
      return { outcome: retired.value === 'deleted' ? 'success' : 'gone' };
    }
  }
}

function outcomeOf({ trouble, mayHaveActed, retryAfterMs }: FailedRotation): FileExample['outcome'] {
  if (mayHaveActed) return 'unclear';
  switch (trouble.code) {
    case 'invalid':
    case 'expired':
    case 'blacklisted':
    case 'no_guardian':
      return 'dead';
    case 'refused':
    case 'suspended':
      return 'refused';
    case 'no_endpoint':
    case 'may_not_rotate':
    case 'no_provider':
    case 'redirected':
    case 'id_unknown':
    case 'not_renewable':
      return 'misconfigured';
    case 'no_new_token':
    case 'list_unfinished':
    case 'internal':
      return 'unclear';
    case 'call_failed':
      return trouble.failure.code === 'not_connected' ? 'not_done' : 'unclear';
    case 'sign_in_ended':
    case 'client_refused':
    case 'login_refused':
    case 'app_refused':
    case 'person_creates':
    case 'repeats_later':
    case 'service_failed':
    case 'reply_lost':
    case 'not_storable':
    case 'value_missing':
    case 'vault':
      return retryAfterMs === null ? 'not_done' : 'wait';
  }
}

function attemptOf({ given }: FileExample, baseUrl: string): Attempt {
  const { value, guardian = null, inputs = {}, id = null, label, wanted_days: wantedDays, since } = given;
  return {
    ...(since === undefined ? {} : { sinceMs: Date.parse(since) }),
    baseUrl,
    inputs: guardian === null ? inputs : { guardian: 'guardian', ...inputs },
    token: value,
    timeLimitMs: 10_000,
    idempotencyKey: 'example-key',
    label,
    upstreamId: id,
    wantedDays,
    note: null,
    otherToken: null,
    remember: () => Promise.resolve(),
    tokenOf: () => Promise.resolve(guardian),
  };
}

/** Answers each request with the recorded reply, if it is the recorded request. */
class Player {
  place = 0;
  problem: ExampleProblem | null = null;
  readonly #example: FileExample;
  readonly #baseUrl: string;

  constructor(example: FileExample, baseUrl: string) {
    this.#example = example;
    this.#baseUrl = baseUrl;
  }

  send(request: WebRequest): Promise<CallResult> {
    const exchange = this.#example.exchanges[this.place];
    const sent = describe(request, this.#baseUrl);
    this.place += 1;
    const notSent = { kind: 'not_sent', failure: { code: 'not_connected', systemCode: 'EXAMPLE' } } as const;
    if (exchange === undefined || !isAsRecorded(request, exchange.request, this.#baseUrl)) {
      const expected = exchange === undefined ? 'no request' : JSON.stringify(exchange.request);
      this.problem ??= { code: 'other_request', place: this.place, expected, sent };
      return Promise.resolve(notSent);
    }
    const { reply } = exchange;
    if (reply === 'not_sent') return Promise.resolve(notSent);
    if (reply === 'lost') {
      const failure = { code: 'connection_lost', systemCode: 'EXAMPLE' } as const;
      return Promise.resolve({ kind: 'lost', failure });
    }
    const { status, headers = {}, json, text = '' } = reply;
    const body: unknown = json === undefined ? undefined : json;
    return Promise.resolve({ kind: 'answer', status, headers, body, text });
  }
}

type Recorded = FileExample['exchanges'][number]['request'];

function isAsRecorded(request: WebRequest, recorded: Recorded, baseUrl: string): boolean {
  const { method, url, headers, body } = request;
  const { headers: wanted = {}, json, form } = recorded;
  const sentJson: unknown = body === null || form !== undefined ? undefined : JSON.parse(body);
  const sentForm = form === undefined ? undefined : Object.fromEntries(new URLSearchParams(body ?? ''));
  return (
    method === recorded.method &&
    url === `${baseUrl}${recorded.path}` &&
    Object.entries(wanted).every(([name, value]) => headers[name] === value) &&
    isDeepStrictEqual(sentJson, json) &&
    isDeepStrictEqual(sentForm, form)
  );
}

function describe({ method, url, headers, body }: WebRequest, baseUrl: string): string {
  return JSON.stringify({ method, path: url.slice(baseUrl.length), headers, body });
}
