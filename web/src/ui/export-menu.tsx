import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { type ExportFormat, exportFormats } from './export.ts';
import { Menu, MenuItem } from './menu.tsx';

type ExportMenuProps = {
  onExport: (format: ExportFormat) => void;
  disabled?: boolean;
  align?: 'start' | 'end';
  children?: ReactNode;
};

/** A button that offers the formats of an export. */
export const ExportMenu = ({
  onExport,
  disabled = false,
  align = 'start',
  children = 'Export',
}: ExportMenuProps) => (
  <Menu
    align={align}
    trigger={
      <Button disabled={disabled}>
        <Download size={14} aria-hidden /> {children}
      </Button>
    }
  >
    {(Object.keys(exportFormats) as ExportFormat[]).map((format) => (
      <MenuItem key={format} onSelect={() => onExport(format)}>
        {exportFormats[format]}
      </MenuItem>
    ))}
  </Menu>
);
