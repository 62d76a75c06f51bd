-- +goose Up
-- Periods of time in which the issues of a group are worked on. Those of one group do not overlap.
CREATE TABLE iterations (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  title text,
  description text,
  start_date date NOT NULL,
  due_date date NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX iterations_iid ON iterations (group_id, iid);
CREATE INDEX iterations_start_date ON iterations (group_id, start_date, id);
ALTER TABLE issues ADD COLUMN iteration_id integer REFERENCES iterations (id) ON DELETE SET NULL;
CREATE INDEX issues_iteration_id ON issues (iteration_id) WHERE iteration_id IS NOT NULL;
ALTER TABLE resource_events ADD COLUMN iteration_id integer REFERENCES iterations (id) ON DELETE SET NULL;
CREATE INDEX resource_events_iteration_id ON resource_events (iteration_id) WHERE iteration_id IS NOT NULL;

-- +goose Down
DROP INDEX resource_events_iteration_id;
ALTER TABLE resource_events DROP COLUMN iteration_id;
DROP INDEX issues_iteration_id;
ALTER TABLE issues DROP COLUMN iteration_id;
DROP TABLE iterations;
