package payload

import "svc/server/domain/ci/syntax"

// reportFile is the file name and compression with which a runner uploads a report.
type reportFile struct{ name, format string }

var reportFiles = map[string]reportFile{
	"accessibility":          {"gl-accessibility.json", "raw"},
	"annotations":            {"gl-annotations.json", "gzip"},
	"api_fuzzing":            {"gl-api-fuzzing-report.json", "raw"},
	"browser_performance":    {"browser-performance.json", "raw"},
	"cluster_image_scanning": {"gl-cluster-image-scanning-report.json", "raw"},
	"cobertura":              {"cobertura-coverage.xml", "gzip"},
	"codequality":            {"gl-code-quality-report.json", "raw"},
	"container_scanning":     {"gl-container-scanning-report.json", "raw"},
	"coverage_fuzzing":       {"gl-coverage-fuzzing.json", "raw"},
	"cyclonedx":              {"gl-sbom.cdx.json", "gzip"},
	"dast":                   {"gl-dast-report.json", "raw"},
	"dependency_scanning":    {"gl-dependency-scanning-report.json", "raw"},
	"dotenv":                 {".env", "gzip"},
	"jacoco":                 {"jacoco-coverage.xml", "gzip"},
	"junit":                  {"junit.xml", "gzip"},
	"license_scanning":       {"gl-license-scanning-report.json", "raw"},
	"load_performance":       {"load-performance.json", "raw"},
	"lsif":                   {"lsif.json", "zip"},
	"metrics":                {"metrics.txt", "gzip"},
	"performance":            {"performance.json", "raw"},
	"repository_xray":        {"gl-repository-xray.json", "gzip"},
	"requirements":           {"requirements.json", "raw"},
	"requirements_v2":        {"requirements_v2.json", "raw"},
	"sast":                   {"gl-sast-report.json", "raw"},
	"secret_detection":       {"gl-secret-detection-report.json", "raw"},
	"terraform":              {"tfplan.json", "raw"},
}

// artifacts returns the archive, if there is one, and each report separately, because reports are uploaded even if the
// job failed.
func artifacts(a *syntax.Artifacts) []Artifact {
	all := []Artifact{}
	if a == nil {
		return all
	}
	if len(a.Paths) > 0 || a.Untracked {
		when := a.When
		if when == "" {
			when = "on_success"
		}
		all = append(all, Artifact{
			Name: a.Name, Untracked: a.Untracked, Paths: list(a.Paths, identity[string]), Exclude: a.Exclude,
			When: when, ExpireIn: a.ExpireIn,
			Type: "archive", Format: "zip",
		})
	}
	for _, report := range a.Reports {
		kind := report.Type
		if kind == "coverage_report" {
			kind = report.Format
		}
		file := reportFiles[kind]
		all = append(all, Artifact{
			Name: file.name, Paths: list(report.Paths, identity[string]), When: "always",
			ExpireIn: a.ExpireIn, Type: kind, Format: file.format,
		})
	}
	return all
}
