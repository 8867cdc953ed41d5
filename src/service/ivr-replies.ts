import type { Ivr, IvrCreated, IvrDeleted, IvrId, IvrUpdated, IvrWarning } from '../contract/ivr.ts';

/** The answers about an IVR (spec section 2.4), the same for apps and for the owner. */
export function ivrCreated({ id }: Ivr, warnings: readonly IvrWarning[]): IvrCreated {
  return { Success: true, Message: 'IVR created successfully.', id, warnings: [...warnings] };
}

export function ivrUpdated(ivr: Ivr, warnings: readonly IvrWarning[]): IvrUpdated {
  return { Success: true, Message: 'IVR updated successfully.', ...ivr, warnings: [...warnings] };
}

export function ivrDeleted(id: IvrId): IvrDeleted {
  return { Success: true, Message: 'IVR deleted successfully.', id };
}
