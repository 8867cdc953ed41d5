/*
 * Files with a user and a password for each address: `.git-credentials`, which git writes (git-credential-store(1)), and `.netrc`.
 */

interface StoredLogin {
  /** From 1. */
  readonly line: number;
  readonly password: string;
}

interface GitLogin extends StoredLogin {
  /** Without the user and the password. */
  readonly url: string;
  readonly username: string;
}

/** The lines with a user, in their order. User and password are percent-encoded there; a token alone may be the user, without a password. */
export function readGitCredentials(content: string): GitLogin[] {
  return content.split('\n').flatMap((text, place) => {
    const [, scheme, user = '', secret = '', rest] =
      /^(https?:\/\/)([^:@/\s]*)(?::([^@/\s]*))?@([^@\s]+)$/.exec(text.replace(/^\ufeff|\r$/g, '')) ?? [];
    const [username, password] = [decoded(user), decoded(secret)];
    if (scheme === undefined || rest === undefined || username === null || password === null) return [];
    return [{ line: place + 1, url: scheme + rest, username, password }];
  });
}

/** The content without the lines of a login. */
export function withoutGitLogin(
  content: string,
  { url, username, password }: Omit<GitLogin, 'line'>,
): string {
  const places = readGitCredentials(content)
    .filter((one) => one.url === url && one.username === username && one.password === password)
    .map(({ line }) => line - 1);
  return content
    .split('\n')
    .filter((_, at) => !places.includes(at))
    .join('\n');
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // no UTF-8
  }
}

interface NetrcLogin extends StoredLogin {
  readonly host: string;
}

/** The machines with a password. Words are apart by blanks or line breaks; a macro ends at an empty line. */
export function readNetrc(content: string): NetrcLogin[] {
  const found: NetrcLogin[] = [];
  let host: string | null = null;
  let isMacro = false;
  let key = '';
  for (const [place, line] of content.split(/\r?\n/).entries()) {
    if (line.trim() === '') isMacro = false;
    if (isMacro) continue;
    for (const word of line.split(/\s+/).filter((one) => one !== '')) {
      if (key === 'machine') host = word;
      else if (key === 'password' && host !== null) found.push({ line: place + 1, host, password: word });
      else if (word.startsWith('#')) break;
      else if (word === 'default') host = null;
      isMacro ||= word === 'macdef';
      key = key === '' && ['machine', 'login', 'password', 'account'].includes(word) ? word : '';
      if (isMacro) break;
    }
  }
  return found;
}
