import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { Fragment, lazy, Suspense, useState } from 'react';
import { api, apiPages } from '../../api.ts';
import { base } from '../../base.ts';
import { type AuditSearch, paths } from '../../paths.ts';
import type { AuditEvent, AuditVerification } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AuditFilter, toQuery } from './audit-filter.tsx';

const TextDiff = lazy(() => import('../../ui/text-diff.tsx'));

const route = getRouteApi('/app/settings/audit');

/** Who an entry is about: a member, an address alone, or the service. */
const actorOf = ({ userName, userId, address, details }: AuditEvent): string => {
  if (userName) return userName;
  if (userId) return 'Former member';
  const email = details?.email;
  if (typeof email === 'string') return email;
  return address ? 'Unknown' : 'The service';
};

const asText = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));

const Details = ({ event }: { event: AuditEvent }) => {
  const { before, after, details } = event;
  const facts: [string, string | null][] = [
    ['Entry', event.id],
    ['Key', event.keyId],
    ['Sign-in', event.signInId],
    ['Place in the chain', event.place === null ? 'not yet' : String(event.place)],
    ['Hash', event.hash],
  ];
  return (
    <div className="flex flex-col gap-2 py-2">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-3 text-sm">
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <Fragment key={name}>
              <dt className="text-soft">{name}</dt>
              <dd className="font-mono break-all">{value}</dd>
            </Fragment>
          ))}
      </dl>
      {details && (
        <pre className="rounded-md border bg-sunken p-3 text-sm whitespace-pre-wrap">{asText(details)}</pre>
      )}
      {(before || after) && (
        <div className="rounded-md border bg-sunken p-3 font-mono text-sm">
          <Suspense fallback={<Skeleton lines={3} />}>
            <TextDiff before={asText(before)} after={asText(after)} />
          </Suspense>
        </div>
      )}
    </div>
  );
};

/** The name of an operation as words: `createSignInLink` is *Create sign in link*. */
const wordsOf = (operation: string): string => {
  const words = operation
    .replace(/^upsert/, 'set')
    .replace(/[A-Z]+/g, (letters) => ` ${letters.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const Entry = ({ event }: { event: AuditEvent }) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Row onOpen={() => setOpen(!open)}>
        <Cell className="whitespace-nowrap text-soft">
          <Time at={event.createdAt} />
        </Cell>
        <Cell>{actorOf(event)}</Cell>
        <Cell>
          <button
            type="button"
            aria-expanded={open}
            className="text-left hover:underline"
            onClick={(click) => {
              click.stopPropagation();
              setOpen(!open);
            }}
          >
            <span title={event.operation}>{wordsOf(event.operation)}</span>
          </button>{' '}
          {event.failed && <Badge tone="fail">failed</Badge>}
        </Cell>
        <Cell>{event.resource}</Cell>
        <Cell className="max-w-48 truncate font-mono text-sm">{event.resourceId}</Cell>
        <Cell className="font-mono text-sm">{event.projectId}</Cell>
        <Cell className="font-mono text-sm text-soft">{event.address}</Cell>
      </Row>
      {open && (
        <tr className="border-b">
          <td colSpan={7}>
            <Details event={event} />
          </td>
        </tr>
      )}
    </>
  );
};

const Verified = ({ found }: { found: AuditVerification }) => (
  <div role="status" className="mb-3 rounded-md border p-3">
    {found.intact ? (
      <p>
        The chain is intact: {found.chained} {found.chained === 1 ? 'entry' : 'entries'}.
        {found.unchained > 0 && ` Not in it yet: ${found.unchained} of the newest.`}
      </p>
    ) : (
      <>
        <p className="font-medium text-fail">The chain is broken.</p>
        <ul>
          {found.breaks.map(({ place, kind, id }) => (
            <li key={`${place} ${kind}`}>
              Place {place}: {kind} <span className="font-mono text-sm">{id}</span>
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);

const none: AuditEvent[] = [];

export const AuditPage = () => {
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = toQuery(search);
  const list = useInfiniteQuery(apiPages('listAuditEvents', query));
  const verify = useMutation({ mutationFn: () => api.verifyAuditEvents() });
  const events = list.data?.pages.flatMap((page) => page.data) ?? none;
  const exportOf = (format: string) => {
    const filters = Object.entries({ ...query, format }).map(([name, value]) => [name, String(value)]);
    return `${base}/api/v2/audit-events/export?${new URLSearchParams(filters)}`;
  };
  return (
    <Page
      title="Audit log"
      actions={
        <span className="flex items-center gap-3">
          <a className="underline" href={exportOf('csv')} download>
            CSV
          </a>
          <a className="underline" href={exportOf('ndjson')} download>
            NDJSON
          </a>
          <Button onClick={() => verify.mutate()} disabled={verify.isPending}>
            <ShieldCheck size={14} aria-hidden /> Verify integrity
          </Button>
        </span>
      }
    >
      <AuditFilter
        search={search}
        onChange={(next: AuditSearch) => void navigate({ ...paths.audit(next), replace: true })}
      />
      {verify.error && <ErrorNote error={verify.error} />}
      {verify.data && <Verified found={verify.data} />}
      {list.error && <ErrorNote error={list.error} />}
      {list.isLoading && <Skeleton lines={12} />}
      {list.isSuccess && events.length === 0 && (
        <Empty title="No entries">Every write and every sign-in is an entry here.</Empty>
      )}
      {events.length > 0 && (
        <Table label="Audit log" head={['Time', 'Who', 'Operation', 'Group', 'Id', 'Project', 'Address']}>
          {events.map((event) => (
            <Entry key={event.id} event={event} />
          ))}
        </Table>
      )}
      {list.hasNextPage && (
        <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  );
};
