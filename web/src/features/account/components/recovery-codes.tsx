import { Button, Group, Stack, Text } from '@mantine/core';
import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useUser } from '@/access/use-user';
import { Dialog } from '@/components/dialog/dialog';
import classes from './totp.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  onClose: () => void;
}

/** The recovery codes, shown once: to copy, print or keep as a file. Only the button closes them. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation('account');
  const { email } = useUser();
  const [notice, setNotice] = useState<string>();
  const title = t('totp.paperTitle', { email });
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${title}\n\n${codes.join('\n')}\n`)}`;

  const handleCopy = () => {
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setNotice(t('totp.copied')),
      () => setNotice(t('totp.copyFailed')),
    );
  };

  return (
    <>
      <Dialog
        subject
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title={t('totp.codesTitle')}
        onClose={() => undefined}
      >
        <Stack gap="md">
          <Text>{t('totp.codesText')}</Text>
          <ol className={classes.codes} aria-label={t('totp.codesLabel')}>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
          <Group gap="sm">
            <Button variant="default" leftSection={<Copy size={16} aria-hidden />} onClick={handleCopy}>
              {t('totp.copy')}
            </Button>
            <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
              {t('totp.print')}
            </Button>
            <Button
              variant="default"
              leftSection={<Download size={16} aria-hidden />}
              renderRoot={({ children, ...props }) => (
                <a {...props} href={file} download="berth-recovery-codes.txt">
                  {children}
                </a>
              )}
            >
              {t('totp.download')}
            </Button>
          </Group>
          <Text role="status" size="sm" c="dimmed">
            {notice}
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t('totp.saved')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      {createPortal(
        <div className={classes.paper} data-print-report>
          <h1>{title}</h1>
          <p>{t('totp.codesText')}</p>
          <ol>
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
        </div>,
        document.body,
      )}
    </>
  );
}
