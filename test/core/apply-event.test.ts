import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import type { Ivr } from '../../src/contract/menu/ivr.ts';
import { applyEvent } from '../../src/core/apply-event.ts';
import { State } from '../../src/core/state.ts';
import {
  designerSteps,
  decideDesignerStep,
  credentialSteps,
  decideStep,
} from '../fixtures/credential-steps.ts';
import { issued, moved, noon, rotated, tokenIdNamed } from '../fixtures/make-events.ts';

/** Everything in a state that an answer could depend on. */
function picture(state: State): unknown {
  return structuredClone({
    families: [...state.tokens.families()].map((family) => [family, state.tokens.generationsOf(family.id)]),
    tokens: [...state.tokens.values()],
    byId: [...state.tokens.values()].map(({ id }) => state.tokens.get(id)?.ordinal),
    byDigest: [...state.tokens.values()].map(({ digest }) => state.tokens.withDigest(digest)?.ordinal),
    ivrs: [...state.ivrs.values()],
    // Unordered, for the same reason as below.
    creations: new Set(state.ivrCreations.values()),
    // Unordered: a row that returns after a deletion is at the end.
    credentials: new Set(state.credentials.values()),
    drafts: new Set(state.drafts.values()),
    recordings: new Set(state.recordings.values()),
    extensions: new Set(state.extensions.values()),
    smsTemplates: new Set(state.smsTemplates.values()),
    access: [...state.accessTokens.values()],
    settings: state.settings,
    counts: state.tokens.counts,
  });
}

function apply(state: State, drafts: readonly EventDraft[]): void {
  for (const draft of drafts) applyEvent(state, { ...draft, seq: 1, at: new Date(noon).toISOString() });
}

const ivr = (id: string, version: number) =>
  ({ id, version, name: id, option: [], destination: [] }) as unknown as Ivr;

function reused(name: string, generation: number, place: number): EventDraft {
  const tokenId = tokenIdNamed(name, generation);
  return {
    kind: 'token.reused',
    subject: `fam_${name}`,
    actor: { kind: 'bearer', token_id: tokenId, address: '127.0.0.1', user_agent: `app/${place}` },
    data: { token_id: tokenId, successor_id: tokenIdNamed(name, generation + 1) },
  };
}

interface TokenStep {
  readonly family: number;
  readonly step: number;
}

const tokenSteps: fc.Arbitrary<TokenStep> = fc.record({
  family: fc.integer({ min: 0, max: 3 }),
  step: fc.integer({ min: 0, max: 7 }),
});

/** A possible history: what each step does depends on the previous ones. */
const histories = fc
  .array(fc.oneof(tokenSteps, credentialSteps, designerSteps), { maxLength: 80, size: 'max' })
  .map((steps) => {
    const generations = new Map<number, number>();
    const credentials = new State();
    const designed = new State();
    const drafts: EventDraft[] = [];
    for (const [place, one] of steps.entries()) {
      if ('act' in one) {
        const { events } = decideStep(credentials, one, { nowMs: noon, place });
        apply(credentials, events);
        drafts.push(...events);
        continue;
      }
      if ('draw' in one) {
        const { events } = decideDesignerStep(designed, one, { nowMs: noon, place });
        apply(designed, events);
        drafts.push(...events);
        continue;
      }
      const { family, step } = one;
      const name = `f${family}`;
      const generation = generations.get(family);
      if (generation === undefined) {
        drafts.push(issued(name));
        generations.set(family, 1);
      } else if (step <= 2) {
        drafts.push(rotated(name, generation));
        generations.set(family, generation + 1);
      } else if (step === 3) drafts.push(moved('token.suspended', name, generation));
      else if (step === 4) drafts.push(moved('token.resumed', name, generation));
      else if (step === 5) {
        drafts.push({
          kind: 'ivr.created',
          subject: `ivr_${family}`,
          actor: { kind: 'owner' },
          data: { ivr: ivr(`ivr_${family}`, place) },
          ...(place % 2 === 0
            ? {}
            : {
                sealed: {
                  replay: {
                    creation_id: `fam_${name} ${place % 3}`,
                    body_digest: 'd',
                    warnings: [],
                    until: new Date(noon + (place % 5) - 2).toISOString(),
                  },
                },
              }),
        });
      } else if (step === 6) {
        drafts.push({
          kind: 'settings.changed',
          subject: 'settings',
          actor: { kind: 'owner' },
          data: { settings: { sms_templates_enabled: place % 2 === 0 } },
        });
      } else if (generation > 1) drafts.push(reused(name, generation - 1, place));
    }
    return drafts;
  });

describe('applying events', () => {
  it('can be taken back: whatever was applied since the last durable event leaves no trace', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (drafts, cut) => {
        const kept = drafts.slice(0, cut % (drafts.length + 1));
        const state = new State();
        apply(state, kept);
        state.undo.forget();
        const before = picture(state);
        apply(state, drafts.slice(kept.length));
        state.undo.rollBack();
        expect(picture(state)).toEqual(before);
      }),
    );
  });

  it('gives the same state for the same events, and at most one Active token a family', () => {
    fc.assert(
      fc.property(histories, (drafts) => {
        const [one, other] = [new State(), new State()];
        apply(one, drafts);
        apply(other, drafts);
        expect(picture(one)).toEqual(picture(other));
        for (const family of one.tokens.families()) {
          const active = [...one.tokens.values()].filter(
            ({ familyId, status }) => familyId === family.id && status === 'Active',
          );
          expect(active.length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('counts the tokens of each status as they are', () => {
    fc.assert(
      fc.property(histories, (drafts) => {
        const state = new State();
        apply(state, drafts);
        for (const [status, count] of Object.entries(state.tokens.counts)) {
          expect([...state.tokens.values()].filter((token) => token.status === status)).toHaveLength(count);
        }
      }),
    );
  });

  it('refuses an event that does not fit: a rotation of a token that is not the newest', () => {
    const state = new State();
    apply(state, [issued('a'), rotated('a', 1)]);
    expect(() => {
      apply(state, [rotated('a', 1)]);
    }).toThrow('is the newest of its family');
  });
});
