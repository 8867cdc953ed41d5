import fastJson from 'fast-json-stringify';
import type { FastifyServerOptions } from 'fastify';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { invariant } from '../../core/unreachable.ts';

/** The part of JSON Schema that replies use. */
export interface ReplySchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, ReplySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: ReplySchema | boolean;
  readonly items?: ReplySchema;
  readonly anyOf?: readonly ReplySchema[];
  readonly oneOf?: readonly ReplySchema[];
  readonly nullable?: boolean;
  readonly default?: unknown;
}

/**
 * The same schema without alternatives. A serializer would need validators to find out which alternative a value is, and
 * making those validators took most of the time of a first reply.
 *
 * `X | null` becomes an X that may be null; several objects become one that may have the fields of each. Fields that no
 * alternative declares are still left out. Alternatives of different types stay, unless none of them has fields.
 */
// see decisions/replies-and-bodies.md
export function joinAlternatives(schema: ReplySchema): ReplySchema {
  const { anyOf, oneOf, ...rest } = schema;
  const plain = joinWithin(rest);
  const alternatives = (oneOf ?? anyOf)?.map(joinAlternatives);
  if (alternatives === undefined) return plain;
  const joined = alternatives.reduce<ReplySchema | null>(
    (one, other) => (one === null ? null : joinTwo(one, other)),
    nothing,
  );
  if (joined !== null) return { ...plain, ...joined };
  return alternatives.every(hasNoFields) ? plain : { ...plain, anyOf: alternatives };
}

/** A value without fields has nothing to leave out: of any type it is written as it is. */
function hasNoFields({ type, items }: ReplySchema): boolean {
  if (type === 'array') return items !== undefined && hasNoFields(items);
  return typeof type === 'string' && type !== 'object';
}

const nothing: ReplySchema = { type: 'nothing' };

function joinWithin(schema: ReplySchema): ReplySchema {
  const { properties, additionalProperties, items } = schema;
  return {
    ...schema,
    ...oneType(schema),
    ...(properties === undefined ? {} : { properties: mapValues(properties, joinAlternatives) }),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: joinAlternatives(additionalProperties) }
      : {}),
    ...(items === undefined ? {} : { items: joinAlternatives(items) }),
  };
}

/** `string | null` is written as a list of types. */
function oneType({ type }: ReplySchema): ReplySchema {
  if (typeof type !== 'object') return {};
  const [first, ...others] = type.filter((name) => name !== 'null');
  return first === undefined || others.length > 0 ? {} : { type: first, nullable: type.includes('null') };
}

/** A schema that serializes the values of both as each of them would; null where there is none. */
function joinTwo(one: ReplySchema, other: ReplySchema): ReplySchema | null {
  if (one === nothing || isDeepStrictEqual(one, other)) return other;
  if (one.type === undefined || other.type === undefined) return null;
  if (one.type === 'null') return { ...other, nullable: true };
  if (other.type === 'null') return { ...one, nullable: true };
  if (one.type !== other.type) return null;
  const nullable = one.nullable === true || other.nullable === true ? { nullable: true } : {};
  switch (one.type) {
    case 'object': {
      const fields = joinFields(one, other);
      return fields === null ? null : { ...fields, ...nullable };
    }
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
      return { type: one.type, ...nullable };
    default:
      return null;
  }
}

/**
 * Two objects with named fields as one; a field is required where both require it.
 *
 * Without defaults: a serializer fills them in, and an absent field may belong to another alternative only.
 */
function joinFields(one: ReplySchema, other: ReplySchema): ReplySchema | null {
  if (one.properties === undefined || other.properties === undefined) return null;
  if (one.additionalProperties !== false || other.additionalProperties !== false) return null;
  const properties: Record<string, ReplySchema> = mapValues(one.properties, withoutDefault);
  for (const [name, field] of Object.entries(other.properties)) {
    const joined = joinTwo(properties[name] ?? nothing, withoutDefault(field));
    if (joined === null) return null;
    properties[name] = joined;
  }
  const required = one.required?.filter((name) => other.required?.includes(name)) ?? [];
  return { type: 'object', properties, required, additionalProperties: false };
}

function withoutDefault({ default: _, ...field }: ReplySchema): ReplySchema {
  return field;
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;

/**
 * Makes a reply's serializer from the route's zod schema when the first such reply is sent.
 *
 * Fastify makes all of them before it listens, which is a third of a start, and few of them are used in a day. There are
 * no validators: zod checks the input (`add-route.ts`).
 */
export const lazySerializers: SchemaController = {
  compilersFactory: {
    buildValidator: () => () => {
      invariant(false, 'no route has Fastify check its input: the contract does');
    },
    buildSerializer:
      () =>
      ({ schema }) => {
        let serialize: ((value: unknown) => string) | undefined;
        return (value) => (serialize ??= serializerFor(schema as z.ZodType))(value);
      },
  },
};

function serializerFor(reply: z.ZodType): (value: unknown) => string {
  const schema = z.toJSONSchema(reply, { target: 'draft-7', io: 'output' }) as ReplySchema;
  return fastJson(joinAlternatives(schema) as fastJson.Schema);
}
