/**
 * A provider as a file: strict JSON with placeholders and no scripts. `providers/file/file-provider.ts` makes its calls.
 * `resources/providers/README.md` is the tutorial, `resources/providers/provider.schema.json` the published schema.
 */
import { isBuiltIn } from '../../providers/catalogue.ts';
import { z } from 'zod';
import { ProviderName } from './provider.ts';
import { proxyMethods } from './proxy.ts';
import { BaseUrl } from '../shapes.ts';
import { Example, fileOutcomes, Status, Title } from './provider-file-example.ts';

/** RFC 6901: where in a reply a value is; the empty text is the whole reply. */
const Pointer = z.string().regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'must be a JSON Pointer such as /token/value');
const Name = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lower-case letters, digits and underscores');
/** A text with placeholders such as `{project}`. */
const Template = z.string().max(2000);
const Statuses = z.union([Status, z.array(Status).min(1)]);
const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const Input = z.strictObject({
  name: Name,
  title: Title,
  hint: z.string().max(500).optional(),
  /** `credential`: the name of another credential of the same service. The one called `guardian` creates the tokens. */
  kind: z.enum(['text', 'choice', 'credential']),
  choices: z.array(z.string()).min(1).optional(),
  optional: z.boolean().optional(),
});

const headerError =
  'must be the name of a header in lower case, and none of those that say how a request is sent';
/** Those of HTTP itself (RFC 9110 section 7.6.1, RFC 9112) are written by the client alone. */
const HeaderName = z
  .string()
  .regex(
    /^(?!(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$)[a-z0-9-]{1,60}$/,
    headerError,
  );
/** What a header can carry: a line break would begin another one. */
const headerText = /^[\x20-\x7e]*$/;
const headerTextError = 'must be printable ASCII on one line';

/** Where a request carries a token. */
const Present = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('header'),
    header: HeaderName,
    prefix: z.string().max(20).regex(headerText, headerTextError).default(''),
  }),
  /** The token is `user:password` (RFC 7617). */
  z.strictObject({ kind: z.literal('basic') }),
]);

const Request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: Template.regex(/^\/(?!\/)[^?#\s]*$/, 'must begin with one slash and have no query').refine(
    // The proxy forbids it, so it has to know it again.
    (path) => path === '/' || canMatch(withWildcards(path).replace(/\/$/, '')),
    'must be a path that no server reads in two ways: no slash twice, no . or .., no ; \\ or *, %-codes of UTF-8',
  ),
  query: z.record(z.string(), Template).optional(),
  headers: z.record(HeaderName, Template.regex(headerText, headerTextError)).optional(),
  json: z.json().optional(),
  form: z.record(z.string(), Template).optional(),
});

const Equals = z.record(Pointer, Scalar);
const success = { status: Statuses, equals: Equals.optional() };

/** When a token expires, from a reply. */
const Ends = z.union([
  z.strictObject({ at: Pointer, unit: z.enum(['iso', 'seconds', 'milliseconds']).default('iso') }),
  /** The token is dead at 00:00 UTC of this date. */
  z.strictObject({ date: Pointer }),
  z.strictObject({ in_seconds: Pointer }),
  z.strictObject({ fixed_seconds: z.int().positive() }),
]);

/** The first that matches counts, before the defaults. */
const Outcome = z.strictObject({
  status: Statuses,
  equals: Equals.optional(),
  outcome: z.enum(fileOutcomes),
  /** In `wait`: where the reply says how many seconds. Default: the header Retry-After. */
  seconds: Pointer.optional(),
  /** Words for the person. */
  say: z.string().max(300).optional(),
});

/** Where the next page of a list is. Without one the list has one page. */
const NextPage = z.discriminatedUnion('kind', [
  /** Its address, whole or below that of the service; null, empty or absent on the last page. */
  z.strictObject({ kind: z.literal('address'), at: Pointer }),
  /** What is sent in the query to get it; null, empty or absent on the last page. */
  z.strictObject({ kind: z.literal('cursor'), at: Pointer, query: z.string().min(1) }),
  /** The same from a header of the reply. */
  z.strictObject({
    kind: z.literal('header'),
    header: z.string().regex(/^[a-z0-9-]{1,60}$/, 'must be the name of a header in lower case'),
    query: z.string().min(1),
  }),
  /** The header `Link` with `rel="next"` (RFC 8288). */
  z.strictObject({ kind: z.literal('link') }),
  /** Pages have numbers, and each says how many there are. */
  z.strictObject({
    kind: z.literal('number'),
    query: z.string().min(1),
    pages: Pointer,
    first: z.int().min(0).max(1).default(1),
  }),
]);

const common = { request: Request, outcomes: z.array(Outcome).optional() };
/** Whose token makes the call. `guardian`: the credential of that input; without one, the token itself. */
const by = z.enum(['token', 'guardian']);

const forbiddenError = `must be a method in capital letters, ${proxyMethods.join(', ')}, or null for all of them`;
/** What can never match protects nothing, so it is a mistake. */
const ForbiddenRoute = z.strictObject({
  method: z.enum(proxyMethods, { error: forbiddenError }).nullable(),
  path: z
    .string()
    .regex(/^\/(?!\/)[^?#\s]*$/, 'must begin with one slash and have no query')
    .refine(
      canMatch,
      'can never match: no slash at its end or twice, no . or .., no ; \\ { or }, * and ** alone between slashes, %-codes of UTF-8',
    ),
});

/** With `*` for each segment that a placeholder is in. */
export function withWildcards(path: string): string {
  return path.replace(/(?<![^/])[^/{]*\{[^/]*/g, '*');
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** Whether a request that the proxy sends on can have the path; `core/proxy/request-path.ts` compares them. */
function canMatch(path: string): boolean {
  if (!isDecodable(path)) return false;
  const segments = path.slice(1).split('/').map(decodeURIComponent);
  return segments.every(
    (one) => one === '*' || one === '**' || (!/^\.{0,2}$/.test(one) && !/[;*{}\\\p{Cc}]/u.test(one)),
  );
}

const Steps = z.strictObject({
  /** Asks about the token with the token, and changes nothing. */
  inspect: z
    .strictObject({
      ...common,
      reply: z.strictObject({
        ...success,
        id: Pointer.optional(),
        name: Pointer.optional(),
        ends: Ends.optional(),
        /** What is true of a token that works. */
        alive: Equals.optional(),
      }),
    })
    .optional(),
  mint: z
    .strictObject({
      ...common,
      by: by.default('token'),
      reply: z.strictObject({
        ...success,
        /** Several are joined with a colon, as in `user:password`. */
        value: z.union([Pointer, z.array(Pointer).min(2).max(4)]),
        id: Pointer.optional(),
        /** Default: as long as it was asked for. */
        ends: Ends.optional(),
      }),
    })
    .optional(),
  /** Gives the same token a later end (shape renew). It may be repeated. */
  renew: z
    .strictObject({
      ...common,
      reply: z.strictObject({
        ...success,
        ends: Ends,
        /** What is true of a renewal after which no other can bring a later end. */
        last: Equals.optional(),
      }),
    })
    .optional(),
  /** Finds what a lost reply left: entries whose name is the label. Pointers of an entry begin in it. */
  list: z
    .strictObject({
      ...common,
      by: by.default('token'),
      reply: z.strictObject({
        ...success,
        items: Pointer,
        id: Pointer,
        label: Pointer,
        next: NextPage.optional(),
      }),
    })
    .optional(),
  /** Deletes a token by its id. */
  retire: z.strictObject({ ...common, by: by.default('token'), reply: z.strictObject(success) }).optional(),
});
export type FileSteps = z.infer<typeof Steps>;
export type FileStepName = keyof FileSteps;
export type FileRequest = z.infer<typeof Request>;
export type FileOutcomeRow = z.infer<typeof Outcome>;
export type FileNextPage = z.infer<typeof NextPage>;
export type FileEnds = z.infer<typeof Ends>;

const Shape = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal('rotavox-provider/1'),
  id: ProviderName,
  version: z.int().positive(),
  title: Title,
  /** What is said about it in a list, and words that a person may search for. */
  summary: z.string().max(500).optional(),
  search: z.array(z.string()).optional(),
  /** Pages that say what the file claims. */
  docs: z
    .array(z.url({ protocol: /^https?$/, error: 'must be the address of a page: https or http' }))
    .min(1),
  /**
   * `replace`: a new token is created beside the old one, which is deleted later. `self_rotate`: the old one ends at once.
   * `renew`: the same token gets a later end. `assisted`: only a person can create tokens.
   */
  shape: z.enum(['replace', 'self_rotate', 'renew', 'assisted']),
  /** Where a person creates a token. */
  page: z.url({ protocol: /^https$/, error: 'must be the address of a page: https' }).optional(),
  /** How a person creates a token there, and which rights it needs, in sentences. */
  creation: z.string().min(1).max(500).optional(),
  /** How tokens of the service begin. */
  prefixes: z.array(z.string().min(3).max(40)).optional(),
  traits: z
    .strictObject({
      ends_on: z.enum(['instant', 'day']).default('instant'),
      longest_days: z.int().positive().nullable().default(null),
      /** How many calls of one user the service allows. */
      rate: z.strictObject({ calls: z.int().positive(), per_seconds: z.int().positive() }).optional(),
      /** How long both tokens work at most. */
      overlap_hours: z.number().min(0).max(2160).default(24),
    })
    .prefault({}),
  /** Where the service is; null: the person says it. */
  base_url: z
    .string()
    .refine((url) => BaseUrl.safeParse(url).success, {
      error: 'must be the address of a service: https (http on this machine only), no user, ? or #',
    })
    .nullable(),
  /** The only hosts that the tokens may be sent to. Default: that of the address. */
  hosts: z.array(z.string()).min(1).optional(),
  inputs: z.array(Input).default([]),
  present: Present,
  /** How the guardian's token is carried, where that differs. */
  present_guardian: Present.optional(),
  steps: Steps,
  /**
   * `list`: find what was created by its label, delete it, create another. `repeat`: create another, and leave what may have
   * been created; for renew, renew again; for assisted, where nothing is created. `inspect`: ask with the old token whether anything
   * happened.
   */
  after_lost_reply: z.enum(['list', 'repeat', 'inspect']),
  /** What no rule of the proxy may allow. */
  forbidden: z.array(ForbiddenRoute).default([]),
  examples: z.array(Example),
});

/** Placeholders beside the inputs, by step. */
export const wantedEndNames = ['seconds', 'date', 'iso', 'epoch_seconds', 'epoch_milliseconds'].map(
  (form) => `wanted_end.${form}`,
);
const builtIn: Record<FileStepName, readonly string[]> = {
  inspect: ['value', 'id'],
  mint: ['value', 'id', 'label', 'intent_key', 'guardian', ...wantedEndNames],
  renew: ['value', 'id', ...wantedEndNames],
  list: ['label', 'guardian'],
  retire: ['id', 'guardian'],
};

/** These may only be in a body. The token of the guardian, where a service asks for it there (a password). */
const secretPlaceholders: ReadonlySet<string> = new Set(['value', 'guardian']);

/** The names in a text with placeholders; null where a brace is none. */
export function placeholdersIn(text: string): string[] | null {
  const found = [...text.matchAll(/\{([a-z][a-z0-9_.]*)\}/g)];
  const rest = text.replaceAll(/\{[a-z][a-z0-9_.]*\}/g, '');
  return /[{}]/.test(rest) ? null : found.map(([, name = '']) => name);
}

/** Every text of a tree, and where it is. */
export function* textsIn(tree: unknown, path: (string | number)[]): Generator<[string, (string | number)[]]> {
  if (typeof tree === 'string') yield [tree, path];
  else if (typeof tree === 'object' && tree !== null) {
    for (const [key, one] of Object.entries(tree)) yield* textsIn(one, [...path, key]);
  }
}

export const ProviderFile = Shape.check(({ value: file, issues }) => {
  const tell = (path: (string | number)[], message: string): void => {
    issues.push({ code: 'custom', input: file, path, message });
  };
  if (isBuiltIn(file.id)) tell(['id'], 'is the id of a provider that is built in');
  const inputs = new Map(file.inputs.map((one) => [one.name, one]));
  for (const [place, { name, kind, choices }] of file.inputs.entries()) {
    if ((kind === 'choice') !== (choices !== undefined)) {
      tell(['inputs', place, 'choices'], 'is for kind choice, and needed there');
    }
    if (name !== 'guardian' && Object.values(builtIn).flat().includes(name)) {
      tell(['inputs', place, 'name'], 'is the name of a placeholder');
    }
  }
  const guardian = inputs.get('guardian');
  if (guardian !== undefined && guardian.kind !== 'credential') {
    tell(['inputs'], 'the input guardian must have kind credential');
  }
  for (const [name, step] of Object.entries(file.steps)) {
    if (step === undefined) continue;
    const { request } = step;
    const at = ['steps', name, 'request'];
    if (request.json !== undefined && request.form !== undefined) tell(at, 'has json or form, not both');
    if (request.method === 'GET' && (request.json ?? request.form) !== undefined) {
      tell(at, 'a GET has no body');
    }
    for (const [text, path] of textsIn(request, [])) {
      const names = placeholdersIn(text);
      if (names === null) {
        tell([...at, ...path], 'has a brace that is no placeholder such as {label}');
        continue;
      }
      for (const one of names) {
        const input = inputs.get(one);
        const isKnown = input !== undefined || builtIn[name as FileStepName].includes(one);
        if (!isKnown) tell([...at, ...path], `{${one}} is neither an input nor known in this step`);
        if (secretPlaceholders.has(one) && path[0] !== 'json' && path[0] !== 'form') {
          tell([...at, ...path], `{${one}} may only be in a body`);
        }
        if (one === 'guardian' && (guardian === undefined || guardian.optional === true)) {
          tell([...at, ...path], '{guardian} needs an input guardian that is not optional');
        }
        if (
          !secretPlaceholders.has(one) &&
          input?.optional === true &&
          (path[0] === 'path' || text !== `{${one}}`)
        ) {
          tell([...at, ...path], `{${one}} is optional, so it must be the whole value of a field`);
        }
      }
    }
  }
  const { steps, shape, after_lost_reply: after } = file;
  if (steps.list?.reply.next !== undefined && steps.list.request.method !== 'GET') {
    tell(['steps', 'list', 'request', 'method'], 'must be GET, for a list with pages');
  }
  if (shape === 'assisted') {
    for (const name of ['mint', 'renew', 'list', 'retire'] as const) {
      if (steps[name] !== undefined) tell(['steps', name], 'is not for shape assisted: a person does it');
    }
    if (after !== 'repeat') tell(['after_lost_reply'], 'must be repeat: nothing is created');
  } else if (shape === 'renew') {
    for (const name of ['mint', 'list', 'retire'] as const) {
      if (steps[name] !== undefined)
        tell(['steps', name], 'is not for shape renew: the token stays the same');
    }
    if (steps.renew === undefined) tell(['steps'], 'renew is needed');
    if (steps.inspect?.reply.ends === undefined) tell(['steps'], 'inspect with ends is needed');
    if (after !== 'repeat') tell(['after_lost_reply'], 'must be repeat: a renewal can be repeated');
  } else if (steps.renew !== undefined || steps.mint === undefined) {
    tell(['steps'], steps.mint === undefined ? 'mint is needed' : 'renew is only for shape renew');
  } else if (shape === 'replace') {
    if (steps.retire === undefined) tell(['steps'], 'retire is needed to delete the old token');
    if (steps.mint.reply.id === undefined)
      tell(['steps', 'mint', 'reply'], 'id is needed to delete it later');
    if (after === 'inspect') tell(['after_lost_reply'], 'must be list or repeat: the old token works on');
    if (after === 'list' && steps.list === undefined) tell(['steps'], 'list is needed after a lost reply');
    const sent = [...textsIn(steps.mint.request, [])].some(([text]) => text.includes('{label}'));
    if (after === 'list' && !sent) tell(['steps', 'mint', 'request'], '{label} must be sent to be found');
  } else {
    const isByOther = steps.mint.by === 'guardian' && guardian !== undefined && guardian.optional !== true;
    if (after === 'list') tell(['after_lost_reply'], 'must be inspect or repeat: nothing is created beside');
    if (after === 'repeat' && !isByOther) {
      tell(
        ['after_lost_reply'],
        'must be inspect: the old token may have ended, and only a guardian can repeat',
      );
    }
    if (after === 'inspect' && steps.inspect === undefined) tell(['steps'], 'inspect is needed');
  }
  // Of a service that cannot be asked there is nothing to record.
  const isAsked = shape !== 'assisted' || steps.inspect !== undefined;
  for (const needed of ['success', 'dead', 'unclear'] as const) {
    if (isAsked && !file.examples.some(({ outcome }) => outcome === needed)) {
      tell(['examples'], `there is no example with the outcome ${needed}`);
    }
  }
});
export type ProviderFile = z.infer<typeof ProviderFile>;

/** The schema for editors, as JSON Schema. What it cannot say is checked when a file is loaded. */
export function providerFileSchema(): unknown {
  return z.toJSONSchema(Shape, { io: 'input', target: 'draft-2020-12' });
}
