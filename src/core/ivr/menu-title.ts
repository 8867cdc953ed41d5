/** What a menu is called where it is shown. In a sentence: `quoted`. */
export function menuTitle({ name }: { readonly name: string }): string {
  return name.trim() === '' ? 'Menu without a name' : name;
}
