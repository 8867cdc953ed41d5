/**
 * Recipes: how a program gets the value of a credential, to copy and to run as they are.
 *
 * Each really calls the service with the token and prints what it says, so that whoever pastes it sees at once that it
 * works, and then puts their own call in its place. No value ever stands in the arguments of a program, where anybody on
 * the machine could read it: it goes through standard input, the environment, or stays inside the program. Paths and
 * command lines may hold anything: each goes through the quoting of the syntax that it comes to stand in, and where that
 * has none, the recipe takes another way.
 */
import type { RecipeSource } from './recipe-source.ts';

/** Something to paste, and what to know about it. */
export interface Recipe {
  /** Where it is pasted. */
  readonly place: string;
  readonly text: string;
  /** What runs it, typed into a terminal; null where it is typed there itself. */
  readonly run: string | null;
  /** What to know afterwards; commands in backticks. */
  readonly note: string;
}

/** What a recipe is made from. */
export interface RecipeOrder {
  readonly name: string;
  readonly source: RecipeSource;
  /** What the recipe asks with the token: the service about the token itself. */
  readonly url: string;
}
