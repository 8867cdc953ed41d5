import { expect, it } from 'vitest';
import { NextStart } from '../../src/main/next-start.ts';

it('there is none unless somebody asks for it', () => {
  expect(new NextStart()).toMatchObject({ asked: null, isOwn: false, isToStayAway: false });
});

it('a restart is one of the app itself, also where somebody starts it meanwhile', () => {
  const next = new NextStart();
  expect(next.restart(['--hidden'])).toBe(true);
  expect(next).toMatchObject({ asked: ['--hidden'], isOwn: true });
  next.startAfterwards(['rotavox://ivr/abc']);
  expect(next).toMatchObject({ asked: ['rotavox://ivr/abc'], isOwn: true });
});

// An installer has the app quit, and a package manager has just replaced its program.
it.each([
  ['before', (next: NextStart) => [next.stayAway(), next.restart([])]],
  ['after', (next: NextStart) => [next.restart([]), next.stayAway()]],
])('an app that somebody has quit does not come back where that comes %s its own restart', (_when, act) => {
  const next = new NextStart();
  act(next);
  expect(next).toMatchObject({ asked: null, isOwn: false, isToStayAway: true });
  expect(next.restart(['--hidden'])).toBe(false);
});

it('a start after that brings it back, and is none of the app itself', () => {
  const next = new NextStart();
  next.restart([]);
  next.stayAway();
  next.startAfterwards(['--hidden']);
  expect(next).toMatchObject({ asked: ['--hidden'], isOwn: false, isToStayAway: false });
});
