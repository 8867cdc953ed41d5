/** The sections of the settings, in their order: what is looked for most comes first. */
export const sections = [
  { id: 'appearance', name: 'Appearance' },
  { id: 'notifications', name: 'Notifications' },
  { id: 'rotation', name: 'Rotation' },
  { id: 'address', name: 'Address and port' },
  { id: 'menus', name: 'Phone menus' },
  { id: 'directories', name: 'Directories' },
  { id: 'computer', name: 'This computer' },
  { id: 'updates', name: 'Updates' },
  { id: 'about', name: 'About' },
] as const;

export type SectionId = (typeof sections)[number]['id'];

export function nameOfSection(id: SectionId): string {
  return sections.find((section) => section.id === id)?.name ?? id;
}
