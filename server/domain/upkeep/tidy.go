package upkeep

// Tidy is the job that puts the search tables in order. Running it twice does nothing more.
type Tidy struct{}

// Kind names the job in the queue.
func (Tidy) Kind() string { return "tidy_search" }
