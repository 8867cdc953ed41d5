import fastJson from 'fast-json-stringify';
import type { FastifyServerOptions } from 'fastify';
import { z } from 'zod';
import { joinAlternatives, type ReplySchema } from './join-alternatives.ts';

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;

/**
 * Makes a reply's serializer when the first such reply goes out, from the zod schema that its route promises.
 *
 * Fastify makes all of them before it listens; that is a third of a start, and a day uses a handful. There are no
 * validators: what comes in is checked by zod (`add-route.ts`).
 */
export const lazySerializers: SchemaController = {
  compilersFactory: {
    buildValidator: () => () => {
      throw new Error('A route asks Fastify to check what comes in; that belongs into the contract.');
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
