package mergerequest

import "svc/store/model"

// The values of a project's squash_option that decide without the user.
const (
	squashAlways  = "always"
	squashNever   = "never"
	squashDefault = "default_on"
)

// Squashes reports whether merging squashes, by the project's setting and the user's wish.
func Squashes(project model.Project, wanted bool) bool {
	switch project.SquashOption {
	case squashAlways:
		return true
	case squashNever:
		return false
	}
	return wanted
}

// SquashDefault reports whether new merge requests of a project squash by default.
func SquashDefault(project model.Project) bool {
	return project.SquashOption == squashAlways || project.SquashOption == squashDefault
}
