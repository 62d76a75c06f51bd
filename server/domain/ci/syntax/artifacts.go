package syntax

import "strings"

// reportTypes are the types under artifacts:reports, except coverage_report.
var reportTypes = []string{
	"accessibility", "annotations", "api_fuzzing", "browser_performance", "cluster_image_scanning", "codequality",
	"container_scanning", "coverage_fuzzing", "cyclonedx", "dast", "dependency_scanning", "dotenv", "junit",
	"license_scanning", "load_performance", "lsif", "metrics", "performance", "repository_xray", "requirements", "requirements_v2",
	"sast", "secret_detection", "terraform",
}

// artifacts reads the keyword artifacts.
func (d decoder) artifacts(path string, v *value) *Artifacts {
	a := &Artifacts{}
	d.object(path, v, fields{
		"name":      func(v *value) { a.Name = d.text(path+" name", v) },
		"untracked": func(v *value) { a.Untracked = d.boolean(path+" untracked", v) },
		"paths":     func(v *value) { a.Paths = d.texts(path+" paths", v) },
		"exclude":   func(v *value) { a.Exclude = d.texts(path+" exclude", v) },
		"expose_as": func(v *value) { a.ExposeAs = d.exposeAs(path, v) },
		"when":      func(v *value) { a.When = d.choice(path+" when", v, "on_success", "on_failure", "always") },
		"expire_in": func(v *value) {
			d.expiry(path+" expire in", v)
			a.ExpireIn = v.text
		},
		"public": func(v *value) {
			if !d.boolean(path+" public", v) {
				a.Access = "developer"
			}
		},
		"access":  func(v *value) { a.Access = d.choice(path+" access", v, "all", "developer", "maintainer", "none") },
		"reports": func(v *value) { a.Reports = d.reports(path+":reports", v) },
	})
	switch {
	case v.get("public") != nil && v.get("access") != nil:
		d.fail(v.at, "%s config these keys cannot be used together: access, public", path)
	case a.ExposeAs != "" && len(a.Paths) == 0:
		d.fail(v.at, "%s expose as can't be used without paths", path)
	case a.ExposeAs != "" && strings.Contains(strings.Join(a.Paths, ""), "*"):
		d.fail(v.at, "%s paths can't contain '*' when used with 'expose_as'", path)
	}
	return a
}

const maxExposed = 100

func (d decoder) exposeAs(path string, v *value) string {
	s := d.text(path+" expose as", v)
	d.warn(v.at, "%s expose_as has no effect: this service does not list artifacts in merge requests", path)
	if len(s) > maxExposed {
		d.fail(v.at, "%s expose as is too long (maximum is %d characters)", path, maxExposed)
	}
	for _, r := range s {
		ok := r == ' ' || r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !ok {
			d.fail(v.at, "%s expose as can contain only letters, digits, '-', '_' and spaces", path)
			return ""
		}
	}
	return s
}

func (d decoder) reports(path string, v *value) []Report {
	var reports []Report
	known := make(fields, len(reportTypes)+1)
	for _, kind := range reportTypes {
		known[kind] = func(v *value) {
			paths := d.textOrTexts(path+" "+strings.ReplaceAll(kind, "_", " "), v)
			reports = append(reports, Report{Type: kind, Paths: paths})
		}
	}
	known["coverage_report"] = func(v *value) {
		report := Report{Type: "coverage_report"}
		at := path + ":coverage_report"
		d.object(at, v, fields{
			"coverage_format": func(v *value) { report.Format = d.choice(at+" coverage format", v, "cobertura", "jacoco") },
			"path":            func(v *value) { report.ReadPath = d.text(at+" path", v) },
		})
		switch {
		case v.get("coverage_format") == nil:
			d.fail(v.at, "%s coverage format can't be blank", at)
		case report.ReadPath == "":
			d.fail(v.at, "%s path can't be blank", at)
		}
		report.Paths = []string{report.ReadPath}
		reports = append(reports, report)
	}
	d.object(path, v, known)
	return reports
}

// ReportTypes returns all types of reports. It lists coverage_report by its formats.
func ReportTypes() []string { return append([]string{"cobertura", "jacoco"}, reportTypes...) }
