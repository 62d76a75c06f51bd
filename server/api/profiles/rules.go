package profiles

import (
	"fmt"
	"regexp"
	"strings"

	"svc/server/apierr"
)

// RFC 5321 §4.5.3.1.
const (
	maxAddress = 254
	maxLocal   = 64
)

// addressFormat is an address without quotes and comments, in ASCII, so that no two spellings only look alike.
var addressFormat = regexp.MustCompile("\\A[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+)*@" +
	`[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\z`)

// checkAddress holds a new address to its rules.
func checkAddress(address string) error {
	local, _, _ := strings.Cut(address, "@")
	switch {
	case address == "":
		return apierr.Invalid("email", "can't be blank")
	case len(address) > maxAddress:
		return apierr.Invalid("email", fmt.Sprintf("is too long (maximum is %d characters)", maxAddress))
	case len(local) > maxLocal || !addressFormat.MatchString(address):
		return apierr.Invalid("email", "is invalid")
	}
	return nil
}
