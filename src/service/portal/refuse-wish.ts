import type { FastifyReply } from 'fastify';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import { refuse } from '../refuse.ts';

/** Answers why an owner's wish about a credential cannot be done. */
export function refuseWish(reply: FastifyReply, { problem, message, field }: CredentialRefusal): null {
  refuse(reply, problem, field === undefined ? { message } : { errors: [{ field, message }] });
  return null;
}
