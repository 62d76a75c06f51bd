// Package present turns rows into the JSON shapes of the contract: same row, same JSON, every member set.
package present

// Presenter knows what shapes depend on beside the row.
type Presenter struct {
	Base string // external base URL
	SSH  int    // port of git over SSH
	Paid bool   // whether members of the paid tiers are shown
}

// All presents every row; the result is never null.
func All[R, S any](rows []R, show func(R) S) []S {
	out := make([]S, len(rows))
	for i, row := range rows {
		out[i] = show(row)
	}
	return out
}
