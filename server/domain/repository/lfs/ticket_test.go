package lfs_test

import (
	"strings"
	"testing"
	"time"

	"svc/server/domain/repository/lfs"
)

func TestATicketIsGoodForAWhile(t *testing.T) {
	t.Parallel()
	ours, err := lfs.NewTickets(strings.Repeat("k", 32))
	if err != nil {
		t.Fatal(err)
	}
	others, err := lfs.NewTickets(strings.Repeat("x", 32))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	text, err := ours.Issue(lfs.Ticket{Key: "abc", ProjectID: 7, Upload: true}, now)
	if err != nil || !lfs.IsTicket(text) || strings.Contains(text, "abc") {
		t.Fatal(text, err)
	}
	if got, ok := ours.Read(text, now.Add(lfs.TicketTime-time.Second)); !ok || got.Key != "abc" || got.ProjectID != 7 || !got.Upload {
		t.Errorf("%+v %v", got, ok)
	}
	if _, ok := ours.Read(text, now.Add(lfs.TicketTime+time.Second)); ok {
		t.Error("it is still good when its time is over")
	}
	if _, ok := others.Read(text, now); ok {
		t.Error("it is good elsewhere")
	}
	for _, bad := range []string{"", "svclfs-", "svclfs-!", text + "A", text[:len(text)-4], strings.TrimPrefix(text, "svclfs-")} {
		if _, ok := ours.Read(bad, now); ok {
			t.Errorf("%q is good", bad)
		}
	}
}
