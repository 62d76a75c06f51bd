package upkeep

// TidySearchJob is the job that maintains the search tables. Running it twice does nothing more.
type TidySearchJob struct{}

// Kind returns the name of the job in the queue.
func (TidySearchJob) Kind() string { return "tidy_search" }
