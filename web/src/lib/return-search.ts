import * as z from 'zod/mini';
import { searchField } from '@/lib/search-field';

/** The search field of the address that a sign-in leads back to: a path of at most 500 characters, anything else is dropped. */
export const returnSearchField = searchField(z.string().check(z.maxLength(500)));
