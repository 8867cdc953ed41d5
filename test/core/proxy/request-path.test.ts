import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AppLimits, type AppTokenId, RulePath } from '../../../src/contract/credential/proxy.ts';
import {
  matchesPath,
  pathPattern,
  possibleReadings,
  readRequestPath,
  routeOf,
} from '../../../src/core/proxy/request-path.ts';
import { UseLimits } from '../../../src/core/proxy/use-limits.ts';

const segmentsOf = (target: string) => readRequestPath(target)?.segments ?? null;
const couldMatchPath = (pattern: readonly string[], segments: readonly string[]) =>
  possibleReadings(segments).some((reading) => matchesPath(pattern, reading));
const matches = (pattern: string, path: string) =>
  matchesPath(pathPattern(RulePath.parse(pattern)), segmentsOf(path) ?? ['refused']);

describe('the path of a request', () => {
  it.each([
    ['/', ['']],
    ['/api/v4', ['api', 'v4']],
    ['/api/', ['api', '']],
    ['/projects/group%2Fproject/issues', ['projects', 'group/project', 'issues']],
    ['/a%20b/%E2%82%AC', ['a b', '€']],
    ["/@me/a:b/!$&'()*+,=", ['@me', 'a:b', "!$&'()*+,="]],
    ['/main...feature', ['main...feature']],
    ['/100%25', ['100%']],
  ])('%s is decoded once, segment by segment', (target, segments) => {
    expect(segmentsOf(target)).toEqual(segments);
  });

  it.each([
    '',
    'api',
    '//api',
    '/api//v4',
    '/api/../admin',
    '/api/..',
    '/api/./v4',
    '/api/%2e%2e/admin',
    '/api/%2E./admin',
    '/api/%252e%252e/admin',
    '/api/x%2F..%2Fadmin',
    '/api/x%252F..%252Fadmin',
    '/api/..%5Cadmin',
    '/api\\admin',
    '/api/%5c',
    '/api/%00',
    '/api/%2500',
    '/api/%',
    '/api/%zz',
    '/api/%ff',
    '/api/a b',
    '/api/<x>',
    '/api/x#y',
    // https://github.com/istio/istio/issues/27409: Tomcat and Jetty end a segment at a semicolon.
    '/api/..;/admin',
    '/api;x=1/admin',
    '/api/a%3Bx',
    '/api/a%253bx',
    // https://github.com/chimurai/http-proxy-middleware/issues/1168: an encoded dot is one for the server behind.
    '/api/file%2Ejson',
    '/api/file%252ejson',
    // Full-width and other dots, slashes and percent signs.
    '/api/%EF%BC%8E%EF%BC%8E/admin',
    '/api/a%E2%80%A4b',
    '/api/a%EF%B9%92b',
    '/api/a%EF%BD%A1b',
    '/api/a%E3%80%82b',
    '/api/a%EF%BC%8Fb',
    '/api/a%EF%BC%9Bb',
    '/api/a%EF%BC%85b',
    '/api/a%25EF%25BC%258Eb',
    // Overlong UTF-8.
    '/api/%c0%ae%c0%ae/admin',
    '/api?x=\u0000',
    '/api?x=\u00e9',
  ])('%j is refused, because servers read it in different ways', (target) => {
    expect(readRequestPath(target)).toBeNull();
  });

  it('is what a URL parser makes of it, byte by byte', () => {
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        const read = readRequestPath(path);
        if (read === null) return;
        expect(new URL(read.raw, 'https://api.example.com').pathname).toBe(read.raw);
      }),
    );
  });

  it('leaves the query as it was sent', () => {
    expect(readRequestPath('/a?x=%2e&y=..//')).toMatchObject({ raw: '/a', query: 'x=%2e&y=..//' });
  });
});

describe('the path of a rule', () => {
  it.each([
    ['/api/*', '/api/x', true],
    ['/api/*', '/api/x%2Fy', true],
    ['/api/*', '/api/', false],
    ['/api/*', '/api/x/y', false],
    ['/api/**', '/api', true],
    ['/api/**', '/api/x/y/', true],
    ['/api/**', '/apis/x', false],
    ['/api/**/issues', '/api/issues', true],
    ['/api/**/issues', '/api/a/issues/b/issues', true],
    ['/api/**/issues', '/api/a/issues/b', false],
    ['/api', '/api/', false],
    ['/API', '/api', false],
    ['/a%20b', '/a%20b', true],
    ['/a b'.replace(' ', '%20'), '/a+b', false],
    ['/projects/g%2Fp/**', '/projects/g%2Fp/issues', true],
    ['/projects/g/p', '/projects/g%2Fp', false],
    ['/**', '/', true],
    ['/', '/', true],
  ])('%s for %s: %s', (pattern, path, isMatch) => {
    expect(matches(pattern, path)).toBe(isMatch);
  });

  it.each([
    'api',
    '',
    '/a//b',
    '/a/../b',
    '/%2e%2e',
    '/a*',
    '/***',
    '/a?b',
    '/a#b',
    '/a\\b',
    '/a b',
    '/%zz',
    '/%00',
    '/%ff',
    '/a;b',
    '/a%2Eb',
  ])('%j cannot be one', (pattern) => {
    expect(RulePath.safeParse(pattern).success).toBe(false);
  });

  const word = fc.stringMatching(/^[a-z]{1,3}$/);

  it('matches as the plain definition of * and ** does', () => {
    const define = (pattern: readonly string[], path: readonly string[]): boolean => {
      const [wanted, ...rest] = pattern;
      if (wanted === undefined) return path.length === 0;
      if (wanted === '**') return path.some((_, at) => define(rest, path.slice(at))) || define(rest, []);
      const [first, ...others] = path;
      return first !== undefined && (wanted === '*' || wanted === first) && define(rest, others);
    };
    const pattern = fc.array(fc.oneof(word, fc.constantFrom('*', '**', 'a')), { maxLength: 6 });
    const path = fc.array(fc.oneof(word, fc.constant('a')), { maxLength: 7 });
    fc.assert(
      fc.property(pattern, path, (some, segments) => {
        expect(matchesPath(some, segments)).toBe(define(some, segments));
      }),
      { numRuns: 2000 },
    );
  });

  it('lets no wildcard cover what it may not, whatever else would match', () => {
    const mayCover = (segment: string) => segment !== 'x';
    const define = (pattern: readonly string[], path: readonly string[]): boolean => {
      const [wanted, ...rest] = pattern;
      const [first, ...others] = path;
      if (wanted === undefined) return first === undefined;
      if (wanted === '**') {
        return define(rest, path) || (first !== undefined && mayCover(first) && define(pattern, others));
      }
      const isCovered = first !== undefined && (wanted === first || (wanted === '*' && mayCover(first)));
      return isCovered && define(rest, others);
    };
    const some = fc.oneof(word, fc.constantFrom('*', '**', 'a', 'x'));
    const pattern = fc.array(some, { maxLength: 6 });
    const path = fc.array(fc.oneof(word, fc.constantFrom('a', 'x', 'x')), { maxLength: 7 });
    fc.assert(
      fc.property(pattern, path, (wanted, segments) => {
        if (matchesPath(wanted, segments, mayCover)) expect(define(wanted, segments)).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(matchesPath(['a', '**', 'x', '*'], ['a', 'b', 'x', 'c'], mayCover)).toBe(true);
  });

  it('takes no time that grows with the number of **', () => {
    const pattern = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? '**' : 'a'));
    const path = Array.from({ length: 400 }, () => 'a');
    // Every way to divide the path among them would take longer than any limit of a test.
    expect(matchesPath([...pattern, 'b'], path)).toBe(false);
  });

  it('forbids whatever a service could read as the route', () => {
    const forbidden = ['v1', 'auth', 'rotate'];
    for (const path of [
      '/v1/auth/rotate',
      '/v1/auth/rotate/',
      '/V1/Auth/ROTATE',
      '/v1/auth/rotate.json',
      '/v1/auth%2Frotate',
      '/v1/auth/%72otate',
      '/v1/auth/%2572otate',
      '/v1%2Fauth%252Frotate',
    ])
      expect([path, couldMatchPath(forbidden, segmentsOf(path) ?? [])]).toEqual([path, true]);
    for (const path of ['/v1/auth/rotated', '/v1/auth', '/v2/auth/rotate'])
      expect([path, couldMatchPath(forbidden, segmentsOf(path) ?? [])]).toEqual([path, false]);
  });

  it('forbids at least what it would allow', () => {
    const pattern = fc.array(fc.oneof(word, fc.constantFrom('*', '**')), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pattern, fc.array(word, { minLength: 1, maxLength: 6 }), (some, segments) => {
        if (matchesPath(some, segments)) expect(couldMatchPath(some, segments)).toBe(true);
      }),
    );
  });
});

describe('the route that is remembered', () => {
  it.each([
    ['/api/v4/projects/123/issues', '/api/v4/projects/*/issues'],
    ['/users/5f0c2a1e-8b1d-4b0e-9e9b-1c2d3e4f5a6b', '/users/*'],
    ['/projects/group%2Fproject', '/projects/*'],
    ['/hooks/T024BE7LD/9xKq', '/hooks/*/*'],
    ['/mail/someone@example.com', '/mail/*'],
    ['/chat/completions', '/chat/completions'],
    ['/', '/'],
  ])('%s is %s', (path, route) => {
    expect(routeOf(segmentsOf(path) ?? [])).toBe(route);
  });

  it('has a bounded length', () => {
    expect(routeOf(Array.from({ length: 500 }, () => 'abc')).length).toBeLessThan(100);
  });
});

const id = 'app_a' as AppTokenId;

function app(limits: Partial<AppLimits>) {
  return { id, limits: { at_once: 100, per_minute: 1000, bytes_per_minute: 1000, ...limits } };
}

describe('the limits of an app', () => {
  it('allows so many requests at once, and another when one has ended', () => {
    const limits = new UseLimits();
    const two = app({ at_once: 2 });
    expect([limits.begin(two, 0).ok, limits.begin(two, 0).ok]).toEqual([true, true]);
    expect(limits.begin(two, 0)).toMatchObject({ refusal: { code: 'too_many_at_once' } });
    limits.end(id, 0);
    expect(limits.begin(two, 0).ok).toBe(true);
    expect(limits.running(id)).toBe(2);
  });

  it('refuses a burst, says how long to wait, and allows a request after that', () => {
    const limits = new UseLimits();
    const sixty = app({ per_minute: 6 });
    for (let at = 0; at < 6; at += 1) expect(limits.begin(sixty, 0).ok).toBe(true);
    expect(limits.begin(sixty, 0)).toEqual({
      ok: false,
      refusal: { code: 'too_many_requests', retryAfterSeconds: 10 },
    });
    expect(limits.begin(sixty, 9_999).ok).toBe(false);
    expect(limits.begin(sixty, 10_000).ok).toBe(true);
  });

  it('finishes a request that uses too much, and refuses later ones until that is made up for', () => {
    const limits = new UseLimits();
    const small = app({ bytes_per_minute: 100 });
    limits.begin(small, 0);
    limits.end(id, 300);
    expect(limits.begin(small, 0)).toMatchObject({
      refusal: { code: 'too_many_bytes', retryAfterSeconds: 120 },
    });
    expect(limits.begin(small, 120_000).ok).toBe(true);
  });

  it('gives nothing for a clock that is set back, and other apps keep their share', () => {
    const limits = new UseLimits();
    const one = app({ per_minute: 1 });
    expect(limits.begin(one, 60_000).ok).toBe(true);
    expect(limits.begin(one, 0).ok).toBe(false);
    expect(limits.begin({ ...one, id: 'app_b' as AppTokenId }, 0).ok).toBe(true);
  });

  it('never allows more than the share of the time that has passed, and one share more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000), { maxLength: 300 }), (pauses) => {
        const limits = new UseLimits();
        let [nowMs, allowed] = [0, 0];
        for (const pause of pauses) {
          nowMs += pause;
          if (!limits.begin(app({ per_minute: 60, at_once: 1000 }), nowMs).ok) continue;
          allowed += 1;
          limits.end(id, 0);
        }
        expect(allowed).toBeLessThanOrEqual(60 + nowMs / 1000 + 0.001);
      }),
    );
  });
});
