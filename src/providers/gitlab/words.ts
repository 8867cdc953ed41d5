import type { ProviderWords } from '../../contract/credential/provider-facts.ts';

export const gitlabWords: ProviderWords = {
  name: 'GitLab',
  summary: 'Personal, project and group access tokens, and runner tokens.',
  searchWords: [
    'gitlab.com',
    'git',
    'glpat',
    'glrt',
    'runner',
    'pat',
    'personal access token',
    'self-managed',
  ],
  creation: [
    {
      text: 'Tick the scope self_rotate, so that the token may request its own replacement, and read_api or whatever your programs need. The scope api alone is enough too.',
      onlyFor: { input: 'kind', values: ['personal'] },
    },
    {
      text: 'Choose the role that your programs need. Tick the scope self_rotate, so that the token may request its own replacement, and read_api or whatever your programs need. The scope api alone is enough too.',
      onlyFor: { input: 'kind', values: ['project', 'group'] },
    },
    {
      text: 'GitLab shows this token once, when you create the runner under Settings, CI/CD, Runners. There are no scopes to tick.',
      onlyFor: { input: 'kind', values: ['runner'] },
    },
  ],
  addressHint: 'For GitLab on your own server, enter its address, such as https://git.example.com/gitlab.',
  inputs: {
    kind: {
      label: 'Kind of token',
      hint: 'A personal token is created in your user settings, a project or group token in the settings of the project or group.',
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
      hint: 'Its path as in its address, such as group/project, or its ID.',
    },
    recovery: {
      label: 'Recovery credential',
      hint: 'Another credential of the same user, whose token has the scope api. If the reply to a rotation is lost, Rotavox obtains the new token with it.',
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
