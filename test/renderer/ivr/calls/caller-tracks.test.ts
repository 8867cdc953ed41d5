import { expect, test } from 'vitest';
import {
  CallerTracks,
  type Scene,
  slotsPerCard,
} from '../../../../src/renderer/ivr/designer/calls/caller-tracks.ts';

const corners: Readonly<Record<string, { x: number; y: number }>> = {
  a: { x: 0, y: 0 },
  b: { x: 1000, y: 0 },
};
const scene: Scene = {
  cornerOf: (node) => corners[node],
  trackTo: (_caller, from) => (from === null ? null : Float64Array.from([300, 0, 650, 100, 1000, 0])),
};

function seen(tracks: CallerTracks, nowMs: number): { spots: [number, number][]; isMoving: boolean } {
  const spots: [number, number][] = [];
  const isMoving = tracks.each(scene, nowMs, 1000, (x, y) => spots.push([x, y]));
  return { spots, isMoving };
}

test('a caller travels along the line to the next card and then stands on its edge', () => {
  const tracks = new CallerTracks();
  tracks.update([{ id: '1', node: 'a' }], scene, 0, 1000);
  const { spots: first, isMoving } = seen(tracks, 0);
  expect([first, isMoving]).toEqual([[[18, 0]], false]);
  tracks.update([{ id: '1', node: 'b' }], scene, 0, 1000);
  expect(seen(tracks, 0)).toEqual({ spots: [[300, 0]], isMoving: true });
  expect(seen(tracks, 500)).toEqual({ spots: [[650, 100]], isMoving: true });
  expect(seen(tracks, 1000)).toEqual({ spots: [[1018, 0]], isMoving: false });
});

test('a caller who has gone fades, and gives the place to the next one', () => {
  const tracks = new CallerTracks();
  tracks.update([{ id: '1', node: 'a' }], scene, 0, 1000);
  tracks.update([], scene, 0, 1000);
  const opacities: number[] = [];
  const tell = (_x: number, _y: number, opacity: number) => opacities.push(opacity);
  expect(tracks.each(scene, 125, 1000, tell)).toBe(true);
  expect(opacities).toEqual([0.5]);
  tracks.update([{ id: '2', node: 'a' }], scene, 200, 1000);
  expect(seen(tracks, 1000)).toEqual({ spots: [[18, 0]], isMoving: false });
  tracks.update([], scene, 1000, 0);
  expect(tracks.isEmpty).toBe(true);
});

test('of many callers in one menu as many stand there as there are places', () => {
  const tracks = new CallerTracks();
  tracks.update(
    Array.from({ length: 200 }, (_, place) => ({ id: String(place), node: 'a' })),
    scene,
    0,
    1000,
  );
  const places = new Set(seen(tracks, 5000).spots.map(([x]) => x));
  expect(places.size).toBe(slotsPerCard);
});

test('without motion everybody is there at once', () => {
  const tracks = new CallerTracks();
  tracks.update([{ id: '1', node: 'a' }], scene, 0, 0);
  tracks.update([{ id: '1', node: 'b' }], scene, 0, 0);
  expect(seen(tracks, 0)).toEqual({ spots: [[1018, 0]], isMoving: false });
});
