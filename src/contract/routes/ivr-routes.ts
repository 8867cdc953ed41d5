import { z } from 'zod';
import { Ivr, IvrCreated, IvrDeleted, IvrUpdated } from '../ivr.ts';
import { IvrVersions } from '../portal.ts';
import type { Route } from './route.ts';
import { bodyProblems, historyProblems, portalProblems, byId } from './route-parts.ts';

/** The stored phone menus, for the owner. */
export const ivrRoutes = {
  portalCreateIvr: {
    method: 'POST',
    path: '/portal/ivrs',
    title: 'Create an IVR as the owner',
    summary: 'Create an IVR as the owner.',
    family: 'portal',
    auth: 'portal',
    body: z.unknown(),
    reply: IvrCreated,
    problems: [...portalProblems, ...bodyProblems],
  },
  portalListIvrs: {
    method: 'GET',
    path: '/portal/ivrs',
    title: 'List IVRs as the owner',
    summary: 'List the stored IVRs.',
    family: 'portal',
    auth: 'portal',
    reply: z.object({ ivrs: z.array(Ivr) }),
    problems: portalProblems,
  },
  portalReadIvr: {
    method: 'GET',
    path: '/portal/ivrs/:id',
    title: 'Read an IVR as the owner',
    summary: 'Read one IVR.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    reply: Ivr,
    problems: [...portalProblems, 'not_found'],
  },
  portalIvrVersions: {
    method: 'GET',
    path: '/portal/ivrs/:id/versions',
    title: 'Versions of an IVR',
    summary: 'Every version of an IVR, newest first, also of a deleted one.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    reply: IvrVersions,
    problems: [...historyProblems, 'not_found'],
  },
  portalUpdateIvr: {
    method: 'PUT',
    path: '/portal/ivrs/:id',
    title: 'Replace an IVR as the owner',
    summary: 'Replace an IVR as the owner.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    body: z.unknown(),
    reply: IvrUpdated,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  portalDeleteIvr: {
    method: 'DELETE',
    path: '/portal/ivrs/:id',
    title: 'Delete an IVR as the owner',
    summary: 'Delete an IVR as the owner.',
    family: 'portal',
    auth: 'portal',
    params: byId,
    reply: IvrDeleted,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
} as const satisfies Record<string, Route>;
