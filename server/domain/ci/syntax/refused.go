package syntax

import "strings"

// refusedKeys are job keywords that the service does not support, with the reason. A job that relies on one of them
// would run without what it asks for, so the whole file is refused. docs/ci-keywords.md lists all keywords.
var refusedKeys = map[string]string{
	"secrets": "this service does not support external secret stores; use CI/CD variables",
}

// keyword reads one keyword of a job or of default.
func (d decoder) keyword(j *jobEntry, key, path string, v *value) {
	if reason, refused := refusedKeys[key]; refused {
		d.fail(v.at, "%s config is not supported: %s", path, reason)
		return
	}
	jobKeys[key](d, j, path, v)
}

// refusePrefix refuses a site with a path prefix. A prefix with variables is checked when they are known, because it
// may expand to nothing, which means the whole site.
func (d decoder) refusePrefix(path string, v *value) string {
	prefix := d.text(path+" path prefix", v)
	if prefix != "" && !strings.Contains(prefix, "$") {
		d.fail(v.at, unsupportedPrefix, path)
	}
	return prefix
}

const unsupportedPrefix = "%s path_prefix is not supported: a project has one site, without a prefix"

// refuseExpiry refuses a site that expires. The value never is accepted, because sites do not expire anyway.
func (d decoder) refuseExpiry(path string, v *value) {
	if v.text != "never" {
		d.fail(v.at, "%s expire_in is not supported: a site stays until it is replaced or deleted; use never", path)
	}
}
