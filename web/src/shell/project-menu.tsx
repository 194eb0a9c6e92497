import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { apiList } from '../api.ts';
import { paths } from '../paths.ts';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';

/** The projects to go to; read when the menu opens first. */
const ProjectMenu = ({ trigger }: { trigger: ReactElement }) => {
  const navigate = useNavigate();
  const { data: projects = [] } = useQuery(apiList('listProjects'));
  return (
    <Menu trigger={trigger} defaultOpen>
      {projects.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => void navigate(paths.home(id))}>
          <span className="max-w-56 truncate">{name || 'Untitled'}</span>
          <span className="ml-auto text-soft">{id}</span>
        </MenuItem>
      ))}
      {projects.length > 0 && <MenuLine />}
      <MenuItem onSelect={() => void navigate(paths.projects())}>All projects</MenuItem>
    </Menu>
  );
};
export default ProjectMenu;
