/** The time limit, in milliseconds. When the keychain waits for a person, `runCli` waits longer. */
const answerLimitMs = 20_000;
const largestReply = 64 * 1024;

/** Reads an address of this machine without Node's `fetch`, whose loading takes as long as Node's start. Rejects when nothing answers. */
export function readLocal(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: string }> {
  // Not imported: an import reads all its exports, and one of them loads what `fetch` needs.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const asking = request(
      url,
      { agent: false, headers: { accept: 'application/json', ...headers }, timeout: answerLimitMs },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
          if (body.length > largestReply) asking.destroy(new Error('too large'));
        });
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, body });
        });
      },
    );
    asking.once('timeout', () => asking.destroy(new Error('timeout')));
    asking.once('error', reject);
    asking.end();
  });
}
