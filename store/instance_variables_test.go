package store_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

func newVariable(t testing.TB, st *store.Store, v model.InstanceVariable) model.InstanceVariable {
	t.Helper()
	if v.VariableType == "" {
		v.VariableType = model.VariableEnv
	}
	if err := st.InstanceVariables.Create(t.Context(), &v, 25); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestOfTwentyCreatorsAtOnceExactlyFiveFindRoom(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	const most, creators = 5, 20
	for round := range 5 { // connections are opened in the first round, so only later rounds are truly concurrent
		var made, full atomic.Int64
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range creators {
			wg.Go(func() {
				<-start
				err := st.InstanceVariables.Create(t.Context(), &model.InstanceVariable{Key: fmt.Sprintf("K%d", i), Value: "v"}, most)
				var limit *store.LimitError
				switch {
				case err == nil:
					made.Add(1)
				case errors.As(err, &limit) && limit.Most == most:
					full.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		close(start)
		wg.Wait()
		if made.Load() != most || full.Load() != creators-most {
			t.Errorf("round %d: %d made and %d refused, want %d and %d", round, made.Load(), full.Load(), most, creators-most)
		}
		if res, err := st.SQL().ExecContext(t.Context(), "DELETE FROM instance_variables"); err != nil {
			t.Fatal(err)
		} else if n, err := res.RowsAffected(); n != made.Load() || err != nil {
			t.Errorf("round %d: %d rows, %v, want %d", round, n, err, made.Load())
		}
	}
}

func TestATakenKeyIsAConflictEvenWhenTheTableIsFull(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	newVariable(t, st, model.InstanceVariable{Key: "K", Value: "v"})
	var conflict *store.ConflictError
	if err := st.InstanceVariables.Create(t.Context(), &model.InstanceVariable{Key: "K", Value: "v"}, 1); !errors.As(err, &conflict) {
		t.Errorf("error is %v, want a conflict", err)
	}
	var limit *store.LimitError
	if err := st.InstanceVariables.Create(t.Context(), &model.InstanceVariable{Key: "L", Value: "v"}, 1); !errors.As(err, &limit) {
		t.Errorf("error is %v, want the limit", err)
	}
}

func TestKeysTellCaseApart(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	newVariable(t, st, model.InstanceVariable{Key: "Key", Value: "one"})
	newVariable(t, st, model.InstanceVariable{Key: "KEY", Value: "two"})
	got, err := st.InstanceVariables.GetByKey(t.Context(), "KEY")
	if err != nil || got.Value != "two" {
		t.Errorf("value is %q, %v, want two", got.Value, err)
	}
}

func TestAVariableIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	about := "what it is for"
	made := newVariable(t, st, model.InstanceVariable{
		Key: "K", Value: "ünï\n密码 '\"; --", Description: &about, VariableType: model.VariableFile, Protected: true, Raw: true,
	})
	if made.ID == 0 || time.Since(made.CreatedAt) > time.Minute || !made.UpdatedAt.Equal(made.CreatedAt) {
		t.Errorf("creation did not fill in %+v", made)
	}
	got, err := st.InstanceVariables.GetByKey(t.Context(), "K")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(made, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnUpdateChangesWhatIsGivenAndReturnsTheRow(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	about := "old"
	made := newVariable(t, st, model.InstanceVariable{Key: "K", Value: "old", Description: &about, Protected: true})
	newVariable(t, st, model.InstanceVariable{Key: "OTHER", Value: "old"})
	before := st.Statements()
	got, err := st.InstanceVariables.Update(t.Context(), "K", map[string]any{"value": "new", "raw": true, "description": nil}, false)
	if err != nil {
		t.Fatal(err)
	}
	if n := st.Statements() - before; n != 1 {
		t.Errorf("%d statements, want 1", n)
	}
	if !got.UpdatedAt.After(made.UpdatedAt) {
		t.Errorf("updated_at is %s, was %s", got.UpdatedAt, made.UpdatedAt)
	}
	want := made
	want.Value, want.Raw, want.Description, want.UpdatedAt = "new", true, nil, got.UpdatedAt
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the row returned differs:\n%s", diff)
	}
	stored, err := st.InstanceVariables.GetByKey(t.Context(), "K")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, stored); diff != "" {
		t.Errorf("the row stored differs:\n%s", diff)
	}
	if other, err := st.InstanceVariables.GetByKey(t.Context(), "OTHER"); other.Value != "old" || err != nil {
		t.Errorf("another variable is %q, %v", other.Value, err)
	}
}

func TestAMaskedVariableIsLeftAloneWhenAskedTo(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name                 string
		masked, onlyUnmasked bool
		changed              bool
	}{
		{"unmasked, any", false, false, true},
		{"unmasked, only unmasked", false, true, true},
		{"masked, any", true, false, true},
		{"masked, only unmasked", true, true, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			made := newVariable(t, st, model.InstanceVariable{Key: "K", Value: "old", Masked: c.masked})
			_, err := st.InstanceVariables.Update(t.Context(), "K", map[string]any{"value": "x"}, c.onlyUnmasked)
			var left *store.ChangedError
			if !c.changed && (!errors.As(err, &left) || left.Resource != "InstanceVariable") || c.changed && err != nil {
				t.Errorf("error is %v", err)
			}
			got, err := st.InstanceVariables.GetByKey(t.Context(), "K")
			if err != nil {
				t.Fatal(err)
			}
			want := made
			if c.changed {
				want.Value, want.UpdatedAt = "x", got.UpdatedAt
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestADeletionSparesWhatWasChangedSince(t *testing.T) {
	t.Parallel()
	changed := time.Date(2024, 2, 29, 12, 0, 0, 900e6, time.UTC)
	second := changed.Truncate(time.Second)
	since := func(d time.Duration) *time.Time { at := second.Add(d); return &at }
	east := second.In(time.FixedZone("", 2*60*60))
	cases := []struct {
		name    string
		since   *time.Time
		deleted bool
	}{
		{"no condition", nil, true},
		{"the second of the change", since(0), true},
		{"the same second in another zone", &east, true},
		{"within that second, before the change", since(time.Millisecond), true},
		{"a second later", since(time.Second), true},
		{"a second earlier", since(-time.Second), false},
		{"just before the second", since(-time.Nanosecond), false},
		{"a year earlier", since(-365 * 24 * time.Hour), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			newVariable(t, st, model.InstanceVariable{Key: "K", Value: "v", CreatedAt: changed, UpdatedAt: changed})
			err := st.InstanceVariables.Delete(t.Context(), "K", c.since)
			var kept *store.ChangedError
			if !c.deleted && !errors.As(err, &kept) || c.deleted && err != nil {
				t.Errorf("error is %v, want deletion %v", err, c.deleted)
			}
			_, err = st.InstanceVariables.GetByKey(t.Context(), "K")
			if store.IsNotFound(err) != c.deleted {
				t.Errorf("afterwards: %v, want deletion %v", err, c.deleted)
			}
		})
	}
}
