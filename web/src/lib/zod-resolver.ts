import { zodResolver as checkedBy } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { $ZodType } from 'zod/v4/core';
import { pointerReleased } from './pointer';

/**
 * Checks a form against a schema, but never between the press and the release of a pointer: a field checks itself when it
 * is left, and the message that then appears would move the button or choice being pressed away from the pointer.
 */
export function zodResolver<Input extends FieldValues, Output, Context = unknown>(
  schema: $ZodType<Output, Input>,
): Resolver<Input, Context, Output> {
  const check = checkedBy<Input, Context, Output, $ZodType<Output, Input>>(schema);
  return async (values, context, options) => {
    await pointerReleased();
    return check(values, context, options);
  };
}
