import { expect, it } from 'vitest';
import { accessUser } from '@/testing/access-users';
import { nameOf } from './name-of';

it('a person is called by name, else by e-mail address', () => {
  expect(nameOf(accessUser('ana'))).toBe('Ana Lane');
  expect(nameOf(accessUser('ana', { firstName: '', lastName: '' }))).toBe('ana@demo.example');
});
