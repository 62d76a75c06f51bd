package syntax

import "regexp"

var skip = regexp.MustCompile(`(?i)\[(ci[ _-]skip|skip[ _-]ci)\]`)

// Skips tells whether a commit's message asks for no pipeline: it has [skip ci] or [ci skip] in it.
func Skips(message string) bool { return skip.MatchString(message) }
