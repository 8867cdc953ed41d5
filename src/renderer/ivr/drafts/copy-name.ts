const longest = 100;

/** The name of a copy, as long as a name may be. */
export function copyName(name: string): string {
  const ending = ' (copy)';
  return name.slice(0, longest - ending.length) + ending;
}
