import { Menu, type MenuProps } from '@mantine/core';
import { useState } from 'react';
import { ClosedByBack } from './dialog/dialog-stack';

/** A menu of the kit that Back closes. Its parts are those of the kit. */
export function PopupMenu({ children, ...props }: Omit<MenuProps, 'opened' | 'onChange'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      transitionProps={{ duration: 100 }}
      {...props}
      opened={isOpen}
      onChange={setOpen}
    >
      {children}
      {isOpen ? <ClosedByBack onBack={() => setOpen(false)} /> : null}
    </Menu>
  );
}
