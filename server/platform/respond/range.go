package respond

import (
	"strconv"
	"strings"
)

// ParseRange reads the Range header of a request for a file of the given size. Partial is false if the answer is the
// whole file. That includes headers that cannot be parsed and headers with several ranges (RFC 9110 §14.2). Ok is false
// if the range lies outside the file.
func ParseRange(header string, size int64) (offset, length int64, partial, ok bool) {
	text, isBytes := strings.CutPrefix(strings.TrimSpace(header), "bytes=")
	first, last, isRange := strings.Cut(text, "-")
	if !isBytes || !isRange || strings.Contains(text, ",") {
		return 0, size, false, true
	}
	if first == "" {
		n, err := strconv.ParseInt(last, 10, 64)
		if err != nil || n < 0 {
			return 0, size, false, true
		}
		n = min(n, size)
		return size - n, n, true, n > 0
	}
	from, err := strconv.ParseInt(first, 10, 64)
	to := size - 1
	if err == nil && last != "" {
		to, err = strconv.ParseInt(last, 10, 64)
	}
	if err != nil || from < 0 || last != "" && to < from {
		return 0, size, false, true
	}
	if from >= size {
		return 0, 0, true, false
	}
	return from, min(to, size-1) - from + 1, true, true
}
