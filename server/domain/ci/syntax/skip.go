package syntax

import "regexp"

var skip = regexp.MustCompile(`(?i)\[(ci[ _-]skip|skip[ _-]ci)\]`)

// SkipsCI reports whether a commit message contains [skip ci] or [ci skip], which ask for no pipeline.
func SkipsCI(message string) bool { return skip.MatchString(message) }
