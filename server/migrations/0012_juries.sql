alter table metric_config add column jury_models text[] not null default '{}' check (cardinality(jury_models) <= 8);
comment on column metric_config.jury_models is 'Models that judge beside eval_model_name. The score is the majority or the median of all.';
