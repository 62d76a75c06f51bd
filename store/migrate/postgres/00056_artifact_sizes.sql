-- +goose Up
-- The size of the artifacts of a project, kept by the database itself: however rows come and go, alone or with their job,
-- pipeline or project, the sum follows in the same transaction, with one statement for many rows.
ALTER TABLE projects ADD COLUMN job_artifacts_size bigint NOT NULL DEFAULT 0;
UPDATE projects SET job_artifacts_size = s.size
  FROM (SELECT project_id, sum(size) AS size FROM job_artifacts GROUP BY project_id) AS s WHERE projects.id = s.project_id;
-- +goose StatementBegin
CREATE FUNCTION job_artifacts_size_more() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE projects SET job_artifacts_size = job_artifacts_size + s.size
    FROM (SELECT project_id, sum(size) AS size FROM added GROUP BY project_id) AS s WHERE projects.id = s.project_id;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER job_artifacts_size_more AFTER INSERT ON job_artifacts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION job_artifacts_size_more();
-- +goose StatementBegin
CREATE FUNCTION job_artifacts_size_less() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE projects SET job_artifacts_size = job_artifacts_size - s.size
    FROM (SELECT project_id, sum(size) AS size FROM gone GROUP BY project_id) AS s WHERE projects.id = s.project_id;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER job_artifacts_size_less AFTER DELETE ON job_artifacts REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION job_artifacts_size_less();

-- +goose Down
DROP TRIGGER job_artifacts_size_less ON job_artifacts;
DROP FUNCTION job_artifacts_size_less();
DROP TRIGGER job_artifacts_size_more ON job_artifacts;
DROP FUNCTION job_artifacts_size_more();
ALTER TABLE projects DROP COLUMN job_artifacts_size;
