import type { PortalProblem } from '../portal-reply.ts';

/** The portal gave no answer that can be shown. How the cache is told; nobody else throws it. */
export class PortalTrouble extends Error {
  readonly problem: PortalProblem;

  constructor(problem: PortalProblem) {
    super(problem.kind);
    this.name = 'PortalTrouble';
    this.problem = problem;
  }
}
