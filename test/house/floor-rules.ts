import type { IForbiddenRuleType } from 'dependency-cruiser';
import { doors, floors, keepers } from './floors.ts';

/** The floors table as dependency-cruiser rules. Rule names say what was broken: they are the error a writer sees. */
export function floorRules(): IForbiddenRuleType[] {
  return [
    ...Object.keys(floors).flatMap(rulesOfRoom),
    ...keepers.map(({ packages, folders }) => ({
      name: `${packages.join(' and ')} only in ${folders.join(' and ')}`,
      severity: 'error' as const,
      from: { path: '^src/', pathNot: folders.map(inside) },
      to: { path: packages.map(inPackage) },
    })),
    {
      name: 'src does not import what lies outside it',
      severity: 'error',
      from: { path: '^src/' },
      // The package's own facts and its resources are not code.
      to: { pathNot: ['^src/', '^resources/', '^package\\.json$'], dependencyTypes: ['local'] },
    },
    {
      name: 'no cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
  ];
}

function rulesOfRoom(room: string): IForbiddenRuleType[] {
  const floor = floors[room];
  if (floor === undefined) throw new Error(`no floor for ${room}`);
  const from = { path: inside(`src/${room}`) };

  const rules: IForbiddenRuleType[] = [
    {
      name: `${room} imports ${listed(floor.rooms)} of the house`,
      severity: 'error',
      from: { ...from, pathNot: doors.filter(leadsOutOf(room)).map((door) => exactly(door.file)) },
      to: { path: '^src/', pathNot: [room, ...floor.rooms].map((open) => inside(`src/${open}`)) },
    },
    ...doors.filter(leadsOutOf(room)).map((door) => ({
      name: `${door.file} imports ${listed([...floor.rooms, door.room])} of the house`,
      severity: 'error' as const,
      from: { path: exactly(door.file) },
      to: {
        path: '^src/',
        pathNot: [room, ...floor.rooms, door.room].map((open) => inside(`src/${open}`)),
      },
    })),
  ];
  if (floor.packages !== 'any') {
    rules.push({
      name: `${room} imports ${listed(floor.packages)} of npm`,
      severity: 'error',
      from,
      to: {
        pathNot: ['^src/', ...floor.packages.map(inPackage)],
        dependencyTypesNot: ['core', 'local'],
      },
    });
  }
  if (!floor.builtins) {
    rules.push({
      name: `${room} imports none of Node's modules`,
      severity: 'error',
      from,
      to: { dependencyTypes: ['core'] },
    });
  }
  return rules;
}

function leadsOutOf(room: string): (door: { file: string }) => boolean {
  return (door) => door.file.startsWith(`src/${room}/`);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : `only ${names.join(', ')}`;
}

function inside(folder: string): string {
  return `^${escaped(folder)}/`;
}

function exactly(file: string): string {
  return `^${escaped(file)}$`;
}

/** Matches a package found in node_modules, its types, and, when it is not installed, its bare name. */
function inPackage(name: string): string {
  const end = name.endsWith('/') ? '' : '(/|$)';
  return `(^|node_modules/)(@types/)?${escaped(name)}${end}`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
