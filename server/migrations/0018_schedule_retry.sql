-- A schedule that the service fails to start waits before it is tried again, so that it does not hold up the others.

alter table schedule add column retry_at timestamptz;
comment on column schedule.retry_at is
  'Not tried before: the last attempt at next_at ended with a fault of the service. Null otherwise.';
