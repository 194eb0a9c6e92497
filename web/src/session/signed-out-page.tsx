import type { FormEvent, ReactNode } from 'react';

/** The pages in front of the door: one narrow form. */
export const Door = ({
  title,
  intro,
  children,
  onSubmit,
}: {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  onSubmit: () => void;
}) => {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <main className="flex min-h-full items-start justify-center px-4 pt-[18vh] pb-12">
      <form onSubmit={submit} className="flex w-full max-w-80 flex-col gap-4">
        <div className="flex items-center gap-2 font-semibold">
          <img src="/icon.svg" alt="" width={20} height={20} />
          Dokima
        </div>
        <div>
          <h1 className="text-xl font-semibold">{title}</h1>
          {intro && <p className="mt-1 text-soft">{intro}</p>}
        </div>
        {children}
      </form>
    </main>
  );
};
