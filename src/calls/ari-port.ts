import { z } from 'zod';
import type { PbxTroubleCode } from '../contract/calls/pbx.ts';
import type { DialplanPlace } from '../core/ivr/destination-route.ts';

/**
 * What is asked of Asterisk during calls (its REST interface, ARI). `AriClient` implements it; tests have a fake with the same
 * behaviour. Every method rejects with `AriError`.
 */
export interface AriPort {
  answer(channel: string): Promise<void>;
  /** Plays after what plays already. The end of it is an event with this id. */
  play(channel: string, playback: string, media: string): Promise<void>;
  /** Does nothing if it is over. */
  stopPlayback(playback: string): Promise<void>;
  isPlaying(playback: string): Promise<boolean>;
  /** Null when the function or the variable does not exist, or is empty. */
  readVariable(channel: string, name: string): Promise<string | null>;
  setVariable(channel: string, name: string, value: string): Promise<void>;
  /** To a place in the dialplan; null: after the line that handed the call over. */
  continueAt(channel: string, place: DialplanPlace | null): Promise<void>;
  hangUp(channel: string): Promise<void>;
  /** Whether there is such a channel, in our application or not. */
  exists(channel: string): Promise<boolean>;
}

/** Asterisk did not do what it was asked. The message has no secret and no address. */
export class AriError extends Error {
  /** `gone`: there is no such channel, or it has left our application. */
  readonly code: PbxTroubleCode | 'gone';
  readonly detail: string;

  constructor(code: PbxTroubleCode | 'gone', detail: string, options?: { cause: unknown }) {
    super(`ARI: ${code} (${detail})`, options);
    this.name = 'AriError';
    this.code = code;
    this.detail = detail;
  }
}

/** Whether a request or its answer did not arrive. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof AriError)) return false;
  return error.code === 'not_reached' || error.code === 'not_trusted' || error.code === 'signed_out';
}

/** Longer than Asterisk makes them (`AST_MAX_UNIQUEID`, `AST_MAX_EXTENSION`): they are kept with the call. */
const id = z.string().max(200);
const longestNumber = 80;
const Channel = z.object({
  id,
  caller: z.object({
    number: z.string().transform((number) => number.slice(0, longestNumber).toWellFormed()),
  }),
});
export type AriChannel = z.infer<typeof Channel>;
const channelId = z.object({ id });

/** The events that we ask for. Others, and other fields, are left out. */
export const AriEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('StasisStart'), args: z.array(z.string()), channel: Channel }),
  z.object({ type: z.literal('StasisEnd'), channel: channelId }),
  z.object({ type: z.literal('ChannelHangupRequest'), channel: channelId }),
  z.object({ type: z.literal('ChannelDestroyed'), channel: channelId }),
  z.object({ type: z.literal('ChannelDtmfReceived'), channel: channelId, digit: z.string().max(1) }),
  z.object({
    type: z.literal('PlaybackFinished'),
    playback: z.object({ id: z.string(), state: z.string() }),
  }),
  /** Our own sign of life. */
  z.object({ type: z.literal('ChannelUserevent'), eventname: z.string() }),
  /** Another program connected as the same application. */
  z.object({ type: z.literal('ApplicationReplaced') }),
]);
export type AriEvent = z.infer<typeof AriEvent>;
export const eventTypes = AriEvent.options.map(({ shape }) => shape.type.value);
