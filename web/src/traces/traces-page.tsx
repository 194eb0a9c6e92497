import { Page } from '../ui/page.tsx';

export const TracesPage = () => <Page title="Traces">…</Page>;
