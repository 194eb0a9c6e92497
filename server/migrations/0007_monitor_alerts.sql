-- Alerts about monitors: a sequential test of a pass rate.

alter table alert
  add column min_pass_rate double precision check (min_pass_rate > 0 and min_pass_rate < 1),
  add column false_alarms_per_year double precision not null default 1 check (false_alarms_per_year > 0),
  add check (not 'monitor.worse' = any(events) or min_pass_rate is not null);
comment on column alert.min_pass_rate is 'monitor.worse: the lowest pass rate of a monitor that is good enough.';
comment on column alert.false_alarms_per_year is 'monitor.worse: at most so many on average while every pass rate is good enough.';
