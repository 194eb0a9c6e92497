import { type ReactNode, useEffect } from 'react';
import { base } from '../../base.ts';
import { submitting } from '../../ui/form.tsx';
import { titleTab } from '../../ui/page.tsx';

type SignedOutPageProps = { title: string; intro?: ReactNode; children: ReactNode; onSubmit: () => void };

/** A page for people who are not signed in: one narrow form. */
export const SignedOutPage = ({ title, intro, children, onSubmit }: SignedOutPageProps) => {
  useEffect(() => titleTab(title), [title]);
  return (
    <main className="flex min-h-full items-center justify-center px-4 py-12">
      <form onSubmit={submitting(onSubmit)} className="flex w-full max-w-80 flex-col gap-4">
        <div className="flex items-center gap-2 font-semibold">
          <img src={`${base}/icon.svg`} alt="" width={20} height={20} />
          Dokima
        </div>
        <div>
          <h1 className="text-focal font-semibold">{title}</h1>
          {intro && <p className="mt-1 text-soft">{intro}</p>}
        </div>
        {children}
      </form>
    </main>
  );
};
