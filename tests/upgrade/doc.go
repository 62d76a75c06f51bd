// Package upgrade opens data of earlier versions with the program of today. testdata has a folder for each version that
// is kept, with an archive for each database: the data folder, the answers that the earlier version gave, and for
// PostgreSQL the statements that fill a database. make upgrade-data adds a folder.
//
//	upgrade_test.go  opens the data and compares the answers
//	write_test.go    writes the data of this version
//	answers_test.go  reads answers, and compares them
//	archive_test.go  packs and unpacks the data
package upgrade
