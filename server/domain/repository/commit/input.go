package commit

import (
	"encoding/base64"
	"strings"

	"svc/server/platform/apierr"
)

// StartAt reads where a branch begins from a caller's input.
func StartAt(branch, sha *string) (Start, error) {
	if branch != nil && sha != nil {
		return Start{}, apierr.BadParameter("start_branch, start_sha are mutually exclusive")
	}
	var s Start
	if branch != nil {
		s.Branch = *branch
	}
	if sha != nil {
		s.SHA = *sha
	}
	return s, nil
}

// Content decodes the content of a file. name is the parameter in error messages. Line breaks and spaces in base64 are
// ignored.
func Content(name, text string, encoded bool) ([]byte, error) {
	if !encoded {
		return []byte(text), nil
	}
	data, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "", " ", "").Replace(text))
	if err != nil {
		return nil, apierr.BadParameter(name + " is invalid")
	}
	return data, nil
}
