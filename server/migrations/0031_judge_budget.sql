-- What the judges of a run have cost, everything that was ever asked for it: replaced verdicts, discarded proposals and lost
-- leases too, so that it never falls. What the system under test took is kept with its executions, apart from this.
create table run_judging (
  run_id bigint primary key references run on delete cascade,
  organization_id bigint not null,
  -- Null is no limit.
  budget_usd double precision check (budget_usd >= 0),
  spent_usd double precision not null default 0,
  -- Verdicts whose cost is not known, and so is not in spent_usd.
  unpriced integer not null default 0
);
alter table run_judging enable row level security;
alter table run_judging force row level security;
create policy own_organization on run_judging using (in_scope(organization_id));

insert into run_judging (run_id, organization_id, spent_usd, unpriced)
select run_id, organization_id, coalesce(sum(cost_usd), 0), count(*) filter (where cost_usd is null)
from score
where lane = 'judge' and (cost_usd is not null or evidence is not null)
group by run_id, organization_id;
