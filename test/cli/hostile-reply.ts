import type { z } from 'zod';
import { downloads } from '../../src/contract/downloads.ts';
import { routes } from '../../src/contract/routes.ts';
import type { Answer } from './stand-in-service.ts';

/** Everything that moves a terminal's cursor or misleads a reader, and a line break that would forge a line of ours. */
export const hostile = 'evil\u001b]0;x\u0007\u009b2J\u007f\u202e\u061c\u2028\u0000\r\nforged';

/** The required forms of texts, so that a schema accepts them. */
const likely = [
  hostile,
  'abc_1',
  'tok_a_1',
  'fam_a',
  '2026-11-21T12:00:00.000Z',
  '2026-11-21',
  'http://127.0.0.1:1',
  'recording||1',
  '22:00',
  '127.0.0.1',
  '1',
  `/${hostile}`,
  '/certificates.pem',
  'en-US',
  'flite/slt',
  '{digits}',
  'DE',
];

/** A value that a schema accepts, with the hostile text wherever any text is allowed. */
function hostileValue(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.ZodType)._zod as unknown as { def: z.core.$ZodTypes['_zod']['def'] };
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- an unknown kind throws below
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, hostileValue(field)]));
    case 'array':
      return [hostileValue(def.element)];
    case 'record':
      return recordOf(def.keyType as z.ZodType, hostileValue(def.valueType));
    case 'union':
      return hostileValue(def.options[0]!);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return hostileValue(def.innerType);
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'boolean':
      return true;
    case 'number':
      return [1, 0, 0.5, 10, 2000].find((number) => (schema as z.ZodType).safeParse(number).success);
    case 'string':
      return likely.find((text) => (schema as z.ZodType).safeParse(text).success);
    case 'unknown':
      return hostile;
    case 'null':
      return null;
    default:
      throw new Error(`Say in hostile-reply.ts what a hostile ${def.type} is.`);
  }
}

function recordOf(key: z.ZodType, value: unknown): unknown {
  const names = (key as z.ZodType & { options?: string[] }).options ?? [
    likely.find((text) => key.safeParse(text).success) ?? '',
  ];
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** The answer to any call that matches the contract and is as hostile as that allows. */
export function hostileAnswer(call: string): Answer {
  const all = Object.values(routes);
  const route =
    all.find(({ method, path }) => call === `${method} ${path}`) ??
    all.find(({ method, path }) => matches(call, method, path));
  if (route !== undefined) return [200, route.reply.parse(hostileValue(route.reply))];
  const isDownload = Object.values(downloads).some(({ method, path }) => matches(call, method, path));
  if (!isDownload) throw new Error(`No route is called by ${call}.`);
  return [200, Buffer.from(`id,name\r\n1,"${hostile}"\r\n`)];
}

export function hostileRefusal(): Answer {
  const errors = [1, 2].map(() => ({ field: hostile, message: hostile }));
  return [400, { success: false, code: 'bad_request', message: hostile, errors }];
}

function matches(call: string, method: string, path: string): boolean {
  const pattern = path.replace(/:\w+/g, '[^/?]+');
  return new RegExp(`^${method} ${pattern}(?:\\?.*)?$`).test(call);
}
