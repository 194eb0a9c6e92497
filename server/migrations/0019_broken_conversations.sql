-- A conversation that breaks off keeps its messages and its cost, and the simulated user's cost counts by itself.

alter table execution add column user_cost_usd double precision;
comment on column execution.user_cost_usd is
  'Cost of the simulated user. Null if unknown, and without a simulation.';
