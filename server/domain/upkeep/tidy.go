package upkeep

// Tidy is the job that maintains the search tables. Running it twice does nothing more.
type Tidy struct{}

// Kind returns the name of the job in the queue.
func (Tidy) Kind() string { return "tidy_search" }
