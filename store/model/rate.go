package model

import "time"

// RateCounter counts the requests of one limit, one caller and one window of time.
type RateCounter struct {
	Key      string
	StartsAt time.Time
	EndsAt   time.Time
	Count    int64
}
