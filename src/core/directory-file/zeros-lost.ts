/** An id that is new, and the known one that may be meant. */
export interface ZerosLost {
  readonly id: string;
  readonly known: string;
}

/**
 * Which ids of a file are new and, but for the zeros that these begin with, known ones: a spreadsheet may have taken the zeros away. Where the file
 * has both, it has lost none.
 */
export function zerosLost(
  fileIds: readonly string[],
  known: { keys(): Iterable<string>; has(id: string): boolean },
): readonly ZerosLost[] {
  const inFile = new Set(fileIds);
  const withZeros = [...known.keys()].filter((id) => /^0+[1-9]\d*$/.test(id) && !inFile.has(id));
  const byNumber = new Map(withZeros.map((id) => [id.replace(/^0+/, ''), id]));
  return fileIds.flatMap((id) => {
    const one = byNumber.get(id);
    return one === undefined || known.has(id) ? [] : [{ id, known: one }];
  });
}
