/** Whether a version of Node is older than a range such as `>=22.15` allows. */
export function isOlderNode(version: string, range: string): boolean {
  const numbers = (text: string): number[] => text.replace('>=', '').split('.').map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(range);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
