/** A call to the proxy, and what answers it without its service. Everything here works on Node's own request and response. */
// see decisions/credential-proxy.md
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProblemCode } from '../../contract/problems.ts';
import { problems } from '../../contract/problems.ts';
import { type ProxyRefusalCode, proxyRefusals, refusalMark } from '../../contract/credential/proxy.ts';
import { requestIdHeader, requestIdOf } from '../../network/create-listener.ts';
import { proxyRefusalText, type RefusalContext } from '../../text/credential/proxy-text.ts';
import type { Arrival } from '../guard/arrival.ts';
import type { Connections } from '../guard/connections.ts';
import { refusalBody, type RefusalDetails } from '../http/refusal-body.ts';
import { embeddingHeaders, transportSecurityHeader, transportSecurityOf } from '../http/security-headers.ts';

export class ProxyCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly connections: Connections;
  /** Null until it is decided how it came. */
  arrival: Arrival | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, connections: Connections) {
    this.request = request;
    this.response = response;
    this.requestId = requestIdOf(request);
    this.connections = connections;
  }

  /**
   * Begins an answer with `headers`, and with those that every answer of the program has unless they are there already.
   *
   * `isOfService`: the rest of a body that is still arriving is not sent on any more, so the connection ends however small it is.
   */
  begin(status: number, headers: string[], isOfService = false): void {
    const { request, response, arrival } = this;
    addMissing(headers, requestIdHeader, this.requestId);
    if (request.method === 'GET' || request.method === 'HEAD')
      for (const [name, value] of ofEmbedded) addMissing(headers, name, value);
    const secured = arrival === null ? null : transportSecurityOf(arrival);
    if (secured !== null) headers.push(transportSecurityHeader, secured);
    const isLeft = this.connections.leaveRest(request);
    if (isLeft || (isOfService && !request.complete)) headers.push('connection', 'close');
    response.writeHead(status, headers);
  }
}

const ofEmbedded = Object.entries(embeddingHeaders);

function addMissing(headers: string[], name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return;
  headers.push(name, value);
}

export type More = RefusalContext & { readonly retryAfterSeconds?: number };

/** Answers with a problem (RFC 9457) that is marked as ours, so that nobody takes it for an answer of the service. */
export function refuseProxied(
  call: ProxyCall,
  code: ProxyRefusalCode,
  { retryAfterSeconds, ...context }: More = {},
): void {
  const status = proxyRefusals[code];
  const problem = { type: 'about:blank', ...proxyRefusalText(code, context), status, code };
  answerProblem(call, status, problem, retryAfterSeconds);
}

/** Answers with a problem that every part of the service has. `headers`: more of them. */
export function refuseCall(
  call: ProxyCall,
  code: ProblemCode,
  details: RefusalDetails = {},
  headers: readonly string[] = [],
): void {
  const body = refusalBody('proxy', code, details);
  answerProblem(call, problems[code].status, body, details.retryAfterSeconds, headers);
}

function answerProblem(
  call: ProxyCall,
  status: number,
  problem: object,
  retryAfterSeconds: number | undefined,
  more: readonly string[] = [],
): void {
  const body = JSON.stringify(problem);
  const headers = [
    ...more,
    'cache-control',
    'no-store',
    refusalMark,
    'refused',
    'content-type',
    'application/problem+json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(body)),
  ];
  if (status === 401) headers.push('www-authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) headers.push('retry-after', String(Math.max(1, retryAfterSeconds)));
  call.begin(status, headers);
  call.response.end(body);
}
