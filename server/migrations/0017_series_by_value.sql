-- A series reads the counts of a few values over many hours. The primary keys have the hour before the value, so that read every value
-- of each hour: 142,800 rows for 8 of 100 tags in a month.
create index series_tally_value on series_tally (project_id, dimension, value, hour);
create index series_score_value on series_score (project_id, dimension, value, hour);
-- Which values have most records is read from this index alone.
create index series_tally_records on series_tally (project_id, dimension, hour) include (organization_id, source, value, records);
