package store

import "svc/store/model"

// What the tests of this package look into: they are in package store_test, because storetest imports store.
var Migrations = migrations

const CallerColumns = callerColumns

func CallerFields(c *model.Caller) []any { return callerFields(c) }
