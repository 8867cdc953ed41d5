import { expect } from 'vitest';
import { type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { refusalShapes, type RouteFamily } from '../../../src/contract/shapes.ts';

interface AnyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly body?: string;
}

/** Expects that problem: its status, exactly the shape of the family, never cached. */
export function expectRefusal(
  answer: AnyAnswer | null,
  code: ProblemCode,
  family: RouteFamily,
  message: string = problems[code].message,
): void {
  expect(answer).not.toBeNull();
  expectRefusalShape(answer!, family);
  const said = JSON.parse(textOf(answer!)) as { message?: string; Message?: string };
  expect({ status: answer!.status, message: said.message ?? said.Message }).toEqual({
    status: problems[code].status,
    message,
  });
}

/** Expects the shape of a refusal of this family, whatever its status is. */
export function expectRefusalShape(answer: AnyAnswer, family: RouteFamily): void {
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const parsed = refusalShapes[family].strict().safeParse(JSON.parse(textOf(answer)));
  expect(parsed.success, `${answer.status} ${textOf(answer)}`).toBe(true);
}

function textOf({ text, body }: AnyAnswer): string {
  return text ?? body ?? '';
}
