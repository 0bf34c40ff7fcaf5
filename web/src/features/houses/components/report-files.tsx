import { Button, Menu } from '@mantine/core';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PopupMenu } from '@/components/popup-menu';
import { type BedFilter, reportFileOf } from '../houses.utils';

interface ReportFilesProps {
  readonly siteId: string;
  readonly filter: BedFilter;
}

/** Downloads the bed report as a file, with the bed tab as its filter. */
export function ReportFiles({ siteId, filter }: ReportFilesProps) {
  const { t, i18n } = useTranslation('houses');
  return (
    <PopupMenu withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
          {t('downloadReport')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['xlsx', 'csv'] as const).map((format) => (
          <Menu.Item key={format} component="a" href={reportFileOf(siteId, format, filter, i18n.language)} download>
            {t(`reportFile.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PopupMenu>
  );
}
