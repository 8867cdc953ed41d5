import { dockerRecipe } from './docker-recipe.ts';
import { nodeRecipe } from './node-recipe.ts';
import { pythonRecipe } from './python-recipe.ts';
import type { Recipe, RecipeOrder } from './recipe.ts';
import { shellRecipe } from './shell-recipe.ts';
import { systemdRecipe } from './systemd-recipe.ts';

export const recipeKinds = ['shell', 'node', 'python', 'docker', 'systemd'] as const;
export type RecipeKind = (typeof recipeKinds)[number];

export const recipeNames: Record<RecipeKind, string> = {
  shell: 'Shell',
  node: 'Node',
  python: 'Python',
  docker: 'Docker',
  systemd: 'systemd',
};

const recipes: Record<RecipeKind, (order: RecipeOrder) => Recipe> = {
  shell: shellRecipe,
  node: nodeRecipe,
  python: pythonRecipe,
  docker: dockerRecipe,
  systemd: systemdRecipe,
};

/** The recipe of a kind. */
export function recipeFor(kind: RecipeKind, order: RecipeOrder): Recipe {
  return recipes[kind](order);
}
