import { describe, expect, it } from 'vitest';
import { providerViews } from '../../../src/text/credential/providers.ts';
import { startGitlabServer } from '../../fakes/start-gitlab-server.ts';
import { OpenService } from '../open-service.ts';

describe('providers', () => {
  it('are listed with what they ask for', async () => {
    const service = await OpenService.start();
    const { status, body } = await service.owner('GET', '/portal/providers');
    expect(status).toBe(200);
    expect(body).toEqual({ providers: providerViews() });
  });
});

describe('adding a GitLab token', () => {
  async function open() {
    const service = await OpenService.start();
    const gitlab = await startGitlabServer(() => service.clock.nowMs);
    const add = (name: string, value: string, inputs: object, more: object = {}) =>
      service.owner('POST', '/portal/credentials', {
        name,
        value,
        provider: { id: 'gitlab', inputs },
        base_url: gitlab.baseUrl,
        ...more,
      });
    return { service, gitlab, add };
  }

  it('takes its expiry from GitLab and keeps its inputs', async () => {
    const { gitlab, add } = await open();
    const token = gitlab.issue({ below: '/projects/group/app' });
    const { status, body } = await add('deploy', token.value, { kind: 'project', of: 'group/app' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      provider: { id: 'gitlab', inputs: { kind: 'project', of: 'group/app' } },
      base_url: gitlab.baseUrl,
      expires_at: `${token.expiresAt}T00:00:00.000Z`,
      can_rotate: true,
    });
  });

  it('is tested before, and says when the token was created', async () => {
    const { service, gitlab } = await open();
    const { status, body } = await service.owner('POST', '/portal/credentials/test', {
      value: gitlab.issue().value,
      provider: { id: 'gitlab' },
      base_url: gitlab.baseUrl,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      outcome: 'works',
      token: { name: 'deploy', validity_days: 30, created_at: new Date(service.clock.nowMs).toISOString() },
      rotation: { outcome: 'can_rotate' },
    });
  });

  it('refuses inputs that are wrong, each at its field', async () => {
    const { gitlab, add } = await open();
    const { status, body } = await add('deploy', gitlab.issue().value, { kind: 'project', project: 'a' });
    expect(status).toBe(400);
    expect(body['errors']).toEqual([
      {
        field: 'provider.inputs.project',
        message: expect.stringContaining('allowed: kind, of, recovery') as string,
      },
      { field: 'provider.inputs.of', message: expect.stringContaining('is required') as string },
    ]);
  });

  it('refuses a recovery credential that is not of the same GitLab', async () => {
    const { service, gitlab, add } = await open();
    const other = await startGitlabServer(() => service.clock.nowMs);
    await add('mine', gitlab.issue({ scopes: ['api'] }).value, {});
    await add('elsewhere', other.issue().value, {}, { base_url: other.baseUrl });
    for (const recovery of ['elsewhere', 'nobody']) {
      const { status, body } = await add('deploy', gitlab.issue().value, { recovery });
      expect(status).toBe(400);
      expect(body['errors']).toEqual([
        {
          field: 'provider.inputs.recovery',
          message: `must be another credential of ${gitlab.baseUrl}; “${recovery}” is not`,
        },
      ]);
    }
    const { status } = await add('deploy', gitlab.issue().value, { recovery: 'mine' });
    expect(status).toBe(200);
  });
});
