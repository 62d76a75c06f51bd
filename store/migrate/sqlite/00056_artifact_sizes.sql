-- +goose Up
-- The size of the artifacts of a project, kept by the database itself: however rows come and go, alone or with their job,
-- pipeline or project, the sum follows in the same transaction.
ALTER TABLE projects ADD COLUMN job_artifacts_size integer NOT NULL DEFAULT 0;
UPDATE projects SET job_artifacts_size = (SELECT sum(size) FROM job_artifacts WHERE project_id = projects.id)
  WHERE id IN (SELECT project_id FROM job_artifacts);
-- +goose StatementBegin
CREATE TRIGGER job_artifacts_size_more AFTER INSERT ON job_artifacts BEGIN
  UPDATE projects SET job_artifacts_size = job_artifacts_size + new.size WHERE id = new.project_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER job_artifacts_size_less AFTER DELETE ON job_artifacts BEGIN
  UPDATE projects SET job_artifacts_size = job_artifacts_size - old.size WHERE id = old.project_id;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER job_artifacts_size_less;
DROP TRIGGER job_artifacts_size_more;
ALTER TABLE projects DROP COLUMN job_artifacts_size;
