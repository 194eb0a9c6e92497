-- Labels of a system that only admins move.

alter table system add column protected_labels text[] not null default '{}';
comment on column system.protected_labels is 'Labels that only admins of the project move or remove, production among them.';
