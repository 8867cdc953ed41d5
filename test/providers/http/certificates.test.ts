import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { RotavoxProvider } from '../../../src/providers/rotavox/calls.ts';
import type { CallResult, ServiceCaller } from '../../../src/providers/http/service-caller.ts';
import { attemptOf } from '../attempt.ts';
import { noon } from '../../fixtures/make-events.ts';
import { type AnsweringService, makeCaller, startAnsweringService } from './answering-service.ts';

const execute = promisify(execFile);
const folder = join(import.meta.dirname, '../../fixtures/tls');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const tls = { key: read('key.pem'), cert: read('certificate.pem') };

const said = { access_token: 'rvx_fresh', validity_days: 7, expires_at: '2026-01-17T12:00:00Z' };

function startTlsService(): Promise<AnsweringService> {
  return startAnsweringService({ status: 200, body: said }, tls);
}

/** What another process receives, and what an unprotected program in the same environment would. */
async function callInProcess(
  settings: { baseUrl: string; trusted?: string },
  environment: Record<string, string>,
): Promise<{ heard: CallResult; careless: string }> {
  const script = join(import.meta.dirname, 'call-process.ts');
  const env = { ...process.env, NODE_NO_WARNINGS: '1', ...environment };
  const { stdout } = await execute(process.execPath, [script, JSON.stringify(settings)], { env });
  return JSON.parse(stdout) as { heard: CallResult; careless: string };
}

/** One rotation call. */
function ask(caller: ServiceCaller, baseUrl: string) {
  const wanted = attemptOf({ baseUrl, token: 'rvx_of_this_test' });
  return new RotavoxProvider(caller, () => noon).rotate(wanted);
}

it('refuses a certificate that is not trusted, and sends nothing', async () => {
  const service = await startTlsService();
  const { baseUrl } = service;
  expect(await ask(makeCaller(), baseUrl)).toEqual({
    ok: false,
    refusal: {
      kind: 'unsafe',
      trouble: {
        code: 'call_failed',
        service: baseUrl,
        failure: {
          code: 'not_trusted',
          systemCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
          issuer: 'A test of Rotavox',
        },
      },
      mayHaveActed: false,
      retryAfterMs: null,
    },
  });
  const { reply } = await new RotavoxProvider(makeCaller(), () => noon).inspect(
    attemptOf({ baseUrl, token: 'rvx_of_this_test' }),
  );
  expect(reply).toMatchObject({ kind: 'unreachable' });
  expect(service.calls).toEqual([]);
});

it('accepts one that is configured as trusted', async () => {
  const { baseUrl } = await startTlsService();
  const caller = makeCaller({ trusted: tls.cert });
  expect(await ask(caller, baseUrl)).toMatchObject({ ok: true });
});

it('refuses one although another is trusted', async () => {
  const service = await startTlsService();
  const caller = makeCaller({ trusted: read('other-certificate.pem') });
  const asked = await ask(caller, service.baseUrl);
  expect(asked).toMatchObject({ ok: false, refusal: { kind: 'unsafe' } });
  expect(service.calls).toEqual([]);
});

it('refuses a trusted one that is for another host', async () => {
  const service = await startTlsService();
  const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
  const caller = makeCaller({ trusted: tls.cert });
  const asked = await ask(caller, baseUrl);
  expect(asked).toMatchObject({ ok: false, refusal: { kind: 'unsafe', mayHaveActed: false } });
  expect(asked).toMatchObject({
    refusal: { trouble: { failure: { systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID' } } },
  });
  expect(service.calls).toEqual([]);
});

it('refuses a host that speaks no TLS', async () => {
  const plain = await startAnsweringService({ status: 200, body: said });
  const baseUrl = plain.baseUrl.replace('http:', 'https:');
  const asked = await ask(makeCaller(), baseUrl);
  expect(asked).toMatchObject({ ok: false, refusal: { kind: 'unsafe', mayHaveActed: false } });
  expect(plain.calls).toEqual([]);
});

it('refuses it also where the environment switches the check off', async () => {
  const service = await startTlsService();
  const { heard, careless } = await callInProcess(service, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  expect(careless).toBe('answered');
  expect(heard).toMatchObject({ kind: 'not_sent', failure: { code: 'not_trusted' } });
  expect(service.calls).toEqual(['GET /careless']);
});

it(
  'trusts the certificates of the environment in addition to the configured ones',
  { tags: ['long'] },
  async () => {
    const service = await startTlsService();
    const settings = { baseUrl: service.baseUrl, trusted: join(folder, 'other-certificate.pem') };
    const environment = { NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem') };
    const { heard, careless } = await callInProcess(settings, environment);
    expect(careless).toBe('answered');
    expect(heard).toMatchObject({ kind: 'answer', status: 200 });
  },
);
