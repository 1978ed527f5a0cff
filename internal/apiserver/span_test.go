package apiserver

import (
	"net/url"
	"testing"
	"time"
)

func TestBoundsOfTimesGoTogether(t *testing.T) {
	t.Parallel()
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	const when = "2026-03-02T15:04:05Z"
	for query, want := range map[string]Span{
		"":                        {},
		"created_at[gte]=" + when: {After: at(when)},
		"created_at[gt]=" + when:  {After: at("2026-03-02T15:04:05.000001Z")},
		"created_at[lte]=" + when: {Before: at(when)},
		"created_at[lt]=" + when:  {Before: at("2026-03-02T15:04:04.999999Z")},
		"created_at[gte]=" + when + "&created_at[gt]=" + when + "&created_at[lt]=" + when + "&created_at[lte]=" + when: {After: at("2026-03-02T15:04:05.000001Z"), Before: at("2026-03-02T15:04:04.999999Z")},
		"created_at[gte]=2026-03-02T15:04:05.0000001Z":                                                                 {After: at("2026-03-02T15:04:05.000001Z")},
		"created_at[lte]=2026-03-02T15:04:05.0000019Z":                                                                 {Before: at("2026-03-02T15:04:05.000001Z")},
		"created_at[gt]=2026-03-02T15:04:05.0000001Z":                                                                  {After: at("2026-03-02T15:04:05.000001Z")},
		"created_at[lt]=2026-03-02T15:04:05.0000001Z":                                                                  {Before: at(when)},
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := span(q)
		if err != nil || !got.After.Equal(want.After) || !got.Before.Equal(want.Before) {
			t.Errorf("%s: %+v %v, want %+v", query, got, err, want)
		}
	}
}
