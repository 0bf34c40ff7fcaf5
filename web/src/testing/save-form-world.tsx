/** A form that edits a house or makes a new one, in a dialog, for the tests of `useSaveForm`. */
import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RouterHistory, useBlocker, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import * as z from 'zod/mini';
import { apiErrorOf } from '@/api/errors';
import { Dialog } from '@/components/dialog/dialog';
import { FormFrame } from '@/components/form/form-frame';
import { SwitchField } from '@/components/form/switch-field';
import { useSaveForm } from '@/components/form/use-save-form';
import { textKeys } from '@/i18n/text-key';
import { renderView } from '@/testing/render';

export interface House {
  name: string;
  note: string;
  isOpen: boolean;
  version: number;
}
interface Call {
  values: { name: string; note: string; isOpen: boolean };
  key: string;
  version: number | undefined;
}

export const HOUSE: House = { name: 'Anchor', note: '', isOpen: true, version: 1 };
const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, textKeys('common')('form.required'))),
  note: z.string(),
  isOpen: z.boolean(),
});

/** The server of these tests: it notes each call and answers as told, first things first. */
export class Server {
  house = HOUSE;
  calls: Call[] = [];
  answers: (() => Response | Error | Promise<Response>)[] = [];

  async save(call: Call): Promise<House> {
    this.calls.push(call);
    const answer = await this.answers.shift()?.();
    if (answer instanceof Error) throw answer;
    if (answer && !answer.ok) throw apiErrorOf(answer, await answer.json());
    this.house = { ...call.values, version: this.house.version + 1 };
    return this.house;
  }
}

interface FormProps {
  server: Server;
  /** Whether a record is edited; else a new one is made. */
  isEdit?: boolean;
  /** Goes to another page after the save. */
  leavesPage?: boolean;
}

function HouseForm({ server, isEdit = false, leavesPage = false, onDone }: FormProps & { onDone: () => void }) {
  const { data: house = HOUSE } = useQuery({ queryKey: ['house'], queryFn: () => server.house, staleTime: Infinity });
  const navigate = useNavigate();
  const leave = () => (leavesPage ? void navigate({ to: '/elsewhere' as '/' }) : onDone());
  const form = useSaveForm({
    schema,
    labels: { name: 'Name', note: 'Note', isOpen: 'Open' },
    values: isEdit ? house : { name: '', note: '', isOpen: true },
    version: isEdit ? house.version : undefined,
    save: (values, context) => server.save({ values, ...context }),
    done: ({ name }) => `${name} was saved.`,
    onDone: leave,
    onUnchanged: isEdit ? leave : undefined,
    names: { title: 'name' },
  });
  return (
    <FormFrame form={form}>
      <TextInput {...form.field('name')} />
      <TextInput {...form.field('note')} />
      <SwitchField form={form} name="isOpen" />
      <Button onClick={() => void navigate({ to: '/elsewhere' as '/' })}>Elsewhere</Button>
    </FormFrame>
  );
}

function Screen(props: FormProps) {
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  // Another guard that the router asks first, like the one that watches signing out.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: false, withResolver: true });
  return (
    <>
      <Button onClick={() => setOpen(true)}>Edit house</Button>
      <div data-testid="elsewhere">Elsewhere on the page</div>
      <Dialog subject={isOpen} title="House" onClose={() => setOpen(false)}>
        <HouseForm {...props} onDone={() => setOpen(false)} />
        <Button onClick={() => void queryClient.invalidateQueries()}>Hear of changes</Button>
      </Dialog>
    </>
  );
}

export async function open({ history, ...props }: Partial<FormProps> & { history?: RouterHistory } = {}) {
  const server = props.server ?? new Server();
  const screen = await renderView(<Screen server={server} {...props} />, history ? { history } : {});
  await page.getByRole('button', { name: 'Edit house' }).click();
  await expect.element(field('Name')).toBeVisible();
  return { server, screen };
}

export const field = (name: string) => page.getByRole('textbox', { name, exact: true });
export const save = () => page.getByRole('button', { name: 'Save', exact: true });
