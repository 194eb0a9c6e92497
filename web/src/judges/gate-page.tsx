import { Page } from '../ui/page.tsx';
export const GatePage = () => <Page title="Gate preview">…</Page>;
