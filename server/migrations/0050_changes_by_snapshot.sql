-- Looks back go by snapshots as well, since a row's time says nothing of its commit: change_project serves both.
drop index change_time;
