import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { TextLink } from '../links.tsx';
import { contentsQuery, guidePageQuery } from '../pages/guide/guide.ts';
import { GuideMarkdown } from '../pages/guide/guide-markdown.tsx';
import { paths } from '../paths.ts';
import { Drawer } from '../ui/drawer.tsx';
import { Loaded } from '../ui/states.tsx';

type GuidePanelProps = {
  /** A page of the guide, with an anchor if it has one. */
  place: string;
  onClose: () => void;
};

/** A page of the guide beside the page that it explains. Loaded on demand. */
const GuidePanel = ({ place, onClose }: GuidePanelProps) => {
  const [page = '', anchor] = place.split('#');
  const contents = useQuery(contentsQuery);
  const text = useQuery(guidePageQuery(page));
  const area = useRef<HTMLDivElement>(null);
  const known = useMemo(
    () => new Set(contents.data?.flatMap(({ pages }) => pages.map(({ path }) => path))),
    [contents.data],
  );
  useEffect(() => {
    if (text.data === undefined || !anchor) return;
    area.current?.querySelector(`#${CSS.escape(anchor)}`)?.scrollIntoView();
  }, [text.data, anchor]);
  return (
    <Drawer
      open
      onClose={onClose}
      title="Guide"
      actions={
        <TextLink {...paths.guide(place)} target="_blank">
          Open in its own tab
        </TextLink>
      }
    >
      <div ref={area}>
        <Loaded query={text} lines={12}>
          {(markdown) => <GuideMarkdown text={markdown} page={page} known={known} />}
        </Loaded>
      </div>
    </Drawer>
  );
};
export default GuidePanel;
