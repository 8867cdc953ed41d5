/** What the disk's refusal means to a person, and what to do; `code` is the system's. */
export function whyRefusing(code: string, folder: string): string {
  const place = `The data folder (${folder})`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `${place} is on a full disk. Free some space; the next change tries again.`;
  if (code === 'EFBIG')
    return `${place} is at its file size limit. Raise the limit; the next change tries again.`;
  if (code === 'EROFS')
    return `${place} has become read-only. Make it writable; the next change tries again.`;
  return `${place} could not be written to (${code}). The next change tries again.`;
}
