/** RFC 6750: the scheme in any case, one or more spaces, a token68. */
const bearerPattern = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The value of an `Authorization: Bearer` header, or null when there is none or it is malformed. */
export function readBearer(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  return bearerPattern.exec(authorization)?.[1] ?? null;
}
