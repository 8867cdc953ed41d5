import { onTestFinished } from 'vitest';
import { GitlabServer, listenAsGitlab } from './gitlab-server.ts';

/** Listens until the test is over. */
export async function startGitlabServer(clock: () => number): Promise<GitlabServer> {
  const gitlab = new GitlabServer(clock);
  onTestFinished(await listenAsGitlab(gitlab, clock));
  return gitlab;
}
