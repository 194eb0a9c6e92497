-- A run's progress says why a score failed, twice a second to whoever looks on: without this, all scores before it were read.
create index score_failed on score (run_id, metric_config_id) where state = 'failed';
