import { Button, Group, Text } from '@mantine/core';

interface OwnFactProps {
  label: string;
  value: string;
  /** Words of the button that leads to the form. */
  changeLabel: string;
  onChange: () => void;
}

/** A fact of the own account as it is now, with the way to change it. */
export function OwnFact({ label, value, changeLabel, onChange }: OwnFactProps) {
  return (
    <Group justify="space-between">
      <div>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text className="tabular">{value}</Text>
      </div>
      <Button variant="default" onClick={onChange}>
        {changeLabel}
      </Button>
    </Group>
  );
}
