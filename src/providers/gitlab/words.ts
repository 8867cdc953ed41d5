import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const gitlabWords: ProviderWords = {
  name: 'GitLab',
  summary: 'Personal, project and group access tokens, and runner tokens.',
  searchWords: ['gitlab.com', 'git', 'glpat', 'glrt', 'runner', 'personal access token', 'self-managed'],
  addressHint: 'Change it for GitLab on a server of your own, such as https://git.example.com/gitlab.',
  inputs: {
    kind: {
      label: 'Kind of token',
      hint: 'Where it was created.',
      choices: { personal: 'Personal', project: 'Project', group: 'Group', runner: 'Runner' },
      tokens: {
        personal: 'personal access token',
        project: 'project access token',
        group: 'group access token',
        runner: 'runner token',
      },
    },
    of: {
      label: 'Project or group',
      hint: 'Its path, such as group/project, or its number.',
    },
    recovery: {
      label: 'Recovery credential',
      hint: 'Another token of the same person with the scope api. It obtains the new token if the reply to a rotation is lost.',
    },
  },
  exampleInputs: { kind: 'project', of: 'group/project' },
  proxyRecipes: {
    curl: 'curl --header "PRIVATE-TOKEN: $ROTAVOX_PROXY_TOKEN" "$ROTAVOX_PROXY_URL/api/v4/projects"',
    node: [
      "import { Gitlab } from '@gitbeaker/rest';",
      '',
      'const { ROTAVOX_PROXY_URL: host, ROTAVOX_PROXY_TOKEN: token } = process.env;',
      'const gitlab = new Gitlab({ host, token });',
      'console.log(await gitlab.Projects.all({ membership: true }));',
    ].join('\n'),
    python: [
      'import os',
      'import gitlab',
      '',
      "gl = gitlab.Gitlab(os.environ['ROTAVOX_PROXY_URL'], private_token=os.environ['ROTAVOX_PROXY_TOKEN'])",
      'print([project.name for project in gl.projects.list(membership=True)])',
    ].join('\n'),
  },
};
