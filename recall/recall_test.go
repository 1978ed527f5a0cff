package recall_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/recall"
)

// indexed returns documents as one part, through the bytes of their index.
func indexed(t interface {
	Helper()
	Fatal(...any)
}, docs ...recall.Doc,
) []recall.Part {
	t.Helper()
	b := recall.NewBuilder()
	for _, d := range docs {
		b.Add(d)
	}
	x, err := recall.Load(b.Index().Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return []recall.Part{{Index: x}}
}

// ids returns the IDs of hits, the best first.
func ids(hits []recall.Hit) string {
	var all []string
	for _, h := range hits {
		all = append(all, h.ID)
	}
	return strings.Join(all, " ")
}

func note(id, body string) recall.Doc {
	return recall.Doc{ID: id, Kind: recall.Note, Body: body}
}

func TestDocumentsAreFoundByTheirWords(t *testing.T) {
	t.Parallel()
	docs := []recall.Doc{
		{ID: "deploy", Kind: recall.Note, Type: "project", Title: "deploy", Summary: "how the shop goes live", Body: "Run make release on the build server."},
		{ID: "db", Kind: recall.Note, Type: "reference", Title: "database", Body: "The shop keeps orders in Postgres 16 on port 5433; getOrderByID reads them. The deploy of the database is separate."},
		{ID: "uk", Kind: recall.Note, Type: "project", Title: "сервери", Body: "Сервери перезапускаємо щоночі о третій; зв'язок тримає Олена."},
		{ID: "zh", Kind: recall.Note, Type: "project", Body: "我们使用数据库保存订单。"},
		{ID: "code", Kind: recall.Instruction, Body: "Example:\n```go\nfunc releaseTrain() {}\n```\nAll tests run in CI."},
	}
	parts := indexed(t, docs...)
	tests := []struct{ name, question, want string }{
		{"no words", "", ""},
		{"only words that say nothing", "what is the and of it?", ""},
		{"only signs", "?!… --", ""},
		{"a word that nobody wrote", "kubernetes", ""},
		{"a word in another form", "deployed", "deploy db"},
		{"a title counts more than a body", "database", "db"},
		{"the part of an identifier", "order id", "db"},
		{"an identifier written with underscores", "get_order_by_id", "db"},
		{"a name in code", "release train", "code deploy"},
		{"Ukrainian in another form", "коли перезапуск сервера?", "uk"},
		{"another apostrophe", "зв’язок", "uk"},
		{"Han", "数据库", "zh"},
		{"a number", "port 5433", "db"},
		{"one letter wrong", "Postgras", "db"},
		{"one letter left out", "Postgre", "db"},
		{"two letters changed places", "postrges", "db"},
		{"one Ukrainian letter wrong", "зв'язак", "uk"},
		{"two letters wrong", "pastgras", ""},
		{"a short word is not mended", "rnu", ""},
		{"beside a known word nothing is mended", "relase friday server", "deploy"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, ids(recall.Search(recall.Query{Text: tt.question}, parts))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestOnlyWhatIsAskedForIsFound(t *testing.T) {
	t.Parallel()
	parts := indexed(t,
		recall.Doc{ID: "a", Kind: recall.Note, Type: "project", Body: "release on friday"},
		recall.Doc{ID: "b", Kind: recall.Note, Type: "user", Body: "release on monday"},
		recall.Doc{ID: "c", Kind: recall.Turn, Type: "user", Body: "release on sunday"},
	)
	tests := []struct {
		name  string
		query recall.Query
		want  string
	}{
		{"all", recall.Query{}, "a b c"},
		{"a limit", recall.Query{Limit: 2}, "a b"},
		{"a kind", recall.Query{Kinds: []recall.Kind{recall.Note}}, "a b"},
		{"a type", recall.Query{Types: []string{"user"}}, "b c"},
		{"both", recall.Query{Kinds: []recall.Kind{recall.Note}, Types: []string{"user"}}, "b"},
		{"none", recall.Query{Kinds: []recall.Kind{}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.query.Text = "release"
			if diff := cmp.Diff(tt.want, ids(recall.Search(tt.query, parts))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// talk is a session of short turns by Ann and Ben.
func talk(group string, day int, said ...string) []recall.Doc {
	var docs []recall.Doc
	for i, s := range said {
		docs = append(docs, recall.Doc{
			ID: fmt.Sprintf("%s.%d", group, i+1), Kind: recall.Turn, Type: [...]string{"Ann", "Ben"}[i%2], Body: s, Group: group, Seq: i,
			When: time.Date(2023, 5, day, 12, 0, 0, 0, time.UTC),
		})
	}
	return docs
}

func TestTurnsAreFoundByWhatSpeaksForThem(t *testing.T) {
	t.Parallel()
	docs := slices.Concat(
		talk("one", 2, "Which database did you take?", "Postgres, in the end.", "Nice weather."),
		talk("two", 9, "I started pottery.", "Pottery is great.", "I like it."),
		talk("three", 28, "The garden is fine.", "The roof leaks.", "The garden grows."),
		talk("four", 30, "Nothing new here.", "The boat is sold."),
	)
	parts := indexed(t, docs...)
	tests := []struct{ name, question, first, why string }{
		{"the answer to a question has its words", "which database", "one.1 one.2", recall.WhyNear},
		{"the speaker who is named", "What does Ben say about pottery?", "two.2 two.1", recall.WhySpeaker},
		{"the other speaker", "What does Ann say about pottery?", "two.1 two.2", recall.WhySpeaker},
		{"the day that is named", "garden on 28 May", "three.1", recall.WhyDate},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			hits := recall.Search(recall.Query{Text: tt.question}, parts)
			if got := ids(hits); !strings.HasPrefix(got, tt.first) {
				t.Errorf("%q finds %q, not %q first", tt.question, got, tt.first)
			}
			if !slices.ContainsFunc(hits, func(h recall.Hit) bool { return slices.Contains(h.Why, tt.why) }) {
				t.Errorf("no hit says %q", tt.why)
			}
		})
	}
}

func TestTheOneWhoAsksIsTheUserOfASession(t *testing.T) {
	t.Parallel()
	parts := indexed(t,
		recall.Doc{ID: "u", Kind: recall.Turn, Type: "user", Group: "s", Seq: 1, Body: "The budget is five thousand."},
		recall.Doc{ID: "a", Kind: recall.Turn, Type: "assistant", Group: "t", Seq: 2, Body: "The budget is five thousand."},
	)
	for question, want := range map[string]string{"what was my budget": "u a", "what budget did you name": "a u", "який мій budget": "u a"} {
		if got := ids(recall.Search(recall.Query{Text: question}, parts)); got != want {
			t.Errorf("%q finds %q, want %q", question, got, want)
		}
	}
}

func TestSessionsAreFoundByAllThatWasSaid(t *testing.T) {
	t.Parallel()
	docs := slices.Concat(
		talk("one", 2, "The boat needs paint.", "Paint is cheap."),
		talk("two", 9, "We sail on Sunday.", "The boat and the harbour.", "The harbour is full."),
		[]recall.Doc{note("n", "boat harbour sail")},
	)
	parts := indexed(t, docs...)
	hits := recall.SearchGroups(recall.Query{Text: "sail from the harbour"}, parts)
	if len(hits) != 1 || hits[0].Group != "two" || !strings.HasPrefix(hits[0].Best, "two.") {
		t.Errorf("found %+v, want the session two alone", hits)
	}
	if got := recall.SearchGroups(recall.Query{Text: "the"}, parts); got != nil {
		t.Errorf("a question of no words found %+v", got)
	}
	// A session that goes on in another part is one session.
	more := append(slices.Clone(parts), indexed(t, talk("two", 10, "The harbour again.")...)...)
	if hits := recall.SearchGroups(recall.Query{Text: "harbour"}, more); len(hits) != 1 {
		t.Errorf("found %+v, want one session", hits)
	}
}

func TestOfEqualTurnsTheOneInTheBetterSessionIsFirst(t *testing.T) {
	t.Parallel()
	// The session that speaks of boats stands last, so that no order helps it.
	var docs []recall.Doc
	for i := range 9 {
		docs = append(docs, talk(fmt.Sprint("a", i), 2, "The sail is torn.", "So it is.", "Fine.", "Yes, fine.", "And so on it goes here.")...)
	}
	better := talk("b", 2, "The sail is torn.", "So it is.", "Fine.", "Yes, fine.", "The harbour master has no sail for us.")
	for _, tt := range []struct {
		name     string
		sessions []recall.Doc
		want     string
	}{
		{"of ten sessions", docs, "b.1"},
		{"of few sessions, where it says nothing", docs[:10], "a0.1"},
	} {
		hits := recall.Search(recall.Query{Text: "torn harbour", Limit: 60}, indexed(t, slices.Concat(tt.sessions, better)...))
		got := slices.DeleteFunc(hits, func(h recall.Hit) bool { return !strings.HasSuffix(h.ID, ".1") })
		if len(got) == 0 || got[0].ID != tt.want {
			t.Errorf("%s: found %q, want %q first of the turns about the sail", tt.name, ids(got), tt.want)
		}
	}
}

func TestDatesOfAQuestionAreUnderstood(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 3, 20, 9, 0, 0, 0, time.UTC)
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 12, 0, 0, 0, time.UTC) }
	tests := []struct {
		name, question string
		when           time.Time
		want           bool
	}{
		{"a day", "plan of 8 May 2023", day(2023, 5, 8), true},
		{"told a week later", "plan of 8 May 2023", day(2023, 5, 15), true},
		{"a month later", "plan of 8 May 2023", day(2023, 6, 15), false},
		{"the day before", "plan of 8 May 2023", day(2023, 5, 7), false},
		{"another year", "plan of 8 May 2023", day(2022, 5, 8), false},
		{"an English date the other way", "the plan on May 8th, 2023", day(2023, 5, 8), true},
		{"a numeric date", "the plan of 2023-05-08", day(2023, 5, 8), true},
		{"a month", "the plan in June", day(2023, 6, 20), true},
		{"another month", "the plan in June", day(2023, 9, 1), false},
		{"over the end of a year", "the plan of 30 December", day(2024, 1, 3), true},
		{"may is a verb", "may I change the plan", day(2023, 5, 8), false},
		{"Ukrainian", "plan від 8 травня 2023", day(2023, 5, 8), true},
		{"Ukrainian, in a month", "plan у червні", day(2023, 6, 20), true},
		{"Ukrainian, one that ends otherwise", "plan на 7 листопада", day(2023, 11, 7), true},
		{"лютий", "plan у лютому 2023", day(2023, 2, 7), true},
		{"a month in short", "plan of 8 Oct 2023", day(2023, 10, 9), true},
		{"a short form in capitals", "the plan in Oct", day(2023, 10, 9), true},
		{"a short form that may be a word", "the dec plan", day(2023, 12, 9), false},
		{"a year alone is no date", "the plan of 2023", day(2023, 5, 8), false},
		{"липа is no month", "plan про липу", day(2023, 7, 8), false},
		{"not a month", "plan після травми", day(2023, 5, 8), false},
		{"yesterday", "the plan of yesterday", day(2024, 3, 19), true},
		{"not yesterday", "the plan of yesterday", day(2024, 3, 18), false},
		{"last week", "the plan of last week", day(2024, 3, 12), true},
		{"вчора", "plan, вчора", day(2024, 3, 19), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := note("n", "the plan")
			d.When = tt.when
			hits := recall.Search(recall.Query{Text: tt.question, Now: now}, indexed(t, d))
			if len(hits) != 1 {
				t.Fatalf("found %q", ids(hits))
			}
			if got := slices.Contains(hits[0].Why, recall.WhyDate); got != tt.want {
				t.Errorf("%q and %s: %v, want %v", tt.question, tt.when.Format(time.DateOnly), got, tt.want)
			}
		})
	}
}

func TestOnlyWhatIsBeyondDoubtIsCertain(t *testing.T) {
	t.Parallel()
	docs := []recall.Doc{{ID: "redis", Kind: recall.Note, Title: "session-cache", Summary: "Redis evicts sessions under memory pressure", Body: "Set maxmemory-policy to noeviction on the staging cluster. " + strings.Repeat("More text about other matters follows here. ", 20) + "The billing export is slow."}}
	for i := range 60 {
		docs = append(docs, note(fmt.Sprint("filler", i), fmt.Sprintf("Note %d about the build, the tests and the memory of the release server.", i)))
	}
	parts := indexed(t, docs...)
	tests := []struct {
		name, question string
		want           bool
	}{
		{"words of the summary", "why does redis evict sessions?", true},
		{"words close together", "noeviction on the staging cluster", true},
		{"one rare word", "redis?", false},
		{"one rare word and common ones", "redis build tests release", false},
		{"words far apart", "noeviction billing", false},
		{"most of the question is of something else", "redis sessions kubernetes ingress helm terraform", false},
		{"common words alone", "build tests release", false},
		{"a long text that names it", "Please look at the failing pipeline first. Then we talk about the maxmemory policy: noeviction for the staging cluster was asked by Olena, who also wants grafana boards, alerts, dashboards and weekly mails.", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := false
			for _, h := range recall.Search(recall.Query{Text: tt.question, Limit: 3}, parts) {
				got = got || h.Certain
			}
			if got != tt.want {
				t.Errorf("%q is certain: %v, want %v", tt.question, got, tt.want)
			}
		})
	}
}

func TestAHitTellsTheWordsOfTheQuestion(t *testing.T) {
	t.Parallel()
	hits := recall.Search(recall.Query{Text: "Deployed the Servers?"}, indexed(t, note("a", "deploying one server"), note("b", "the server")))
	want := [][]string{{"Deployed", "Servers"}, {"Servers"}}
	var got [][]string
	for _, h := range hits {
		got = append(got, h.Words)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAnIndexKnowsItsDocuments(t *testing.T) {
	t.Parallel()
	a, b := note("a/b.md", "one"), note("", "two")
	a.Links = []string{"c.md", "d.md"}
	x := indexed(t, a, b, note("z", "three"))[0].Index
	if x.Len() != 3 {
		t.Errorf("%d documents", x.Len())
	}
	for _, id := range []string{"a/b.md", "", "z"} {
		doc, ok := x.Find(id)
		if !ok || !x.Has(id) || x.ID(doc) != id {
			t.Errorf("%q is not found", id)
		}
	}
	if x.Has("a") || x.Has("zz") || x.ID(-1) != "" || x.ID(3) != "" || x.Links(9) != nil {
		t.Error("what is not there is found")
	}
	doc, _ := x.Find("a/b.md")
	if diff := cmp.Diff(a.Links, x.Links(doc)); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	builder := recall.NewBuilder()
	if builder.Add(note("x", "one")); builder.Len() != 1 {
		t.Errorf("a builder of one document says %d", builder.Len())
	}
	empty := recall.NewBuilder().Index()
	if empty.Len() != 0 || empty.Has("") || recall.Search(recall.Query{Text: "one"}, []recall.Part{{Index: empty}}) != nil {
		t.Error("an empty index holds something")
	}
	if recall.Search(recall.Query{Text: "one"}, nil) != nil {
		t.Error("no index holds something")
	}
}

func TestALongQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "word%d ", i)
	}
	parts := indexed(t, note("a", "word7 word8 word9 word10"), note("b", "word1"))
	if got := ids(recall.Search(recall.Query{Text: text.String()}, parts)); !strings.Contains(got, "a") {
		t.Errorf("found %q", got)
	}
}

// genDocs draws notes of few words, so that they share many.
func genDocs(t *rapid.T, from, to int) []recall.Doc {
	words := rapid.SampledFrom(strings.Fields("release server port orders Olena Friday Postgres tests retry the of getName user_id сервер база"))
	var docs []recall.Doc
	for i := range rapid.IntRange(from, to).Draw(t, "documents") {
		text := func(name string, longest int) string {
			return strings.Join(rapid.SliceOfN(words, 0, longest).Draw(t, name), " ")
		}
		docs = append(docs, recall.Doc{ID: fmt.Sprint(i), Kind: recall.Note, Title: text("title", 2), Summary: text("summary", 3), Body: text("body", 12)})
	}
	return docs
}

func genQuestion(t *rapid.T) recall.Query {
	words := rapid.SampledFrom(strings.Fields("release servers port order Olena friday postgres test retries name user серверу relaese ordrs"))
	return recall.Query{Text: strings.Join(rapid.SliceOfN(words, 1, 5).Draw(t, "question"), " "), Limit: rapid.IntRange(1, 12).Draw(t, "limit")}
}

func TestPartsAnswerAsOneIndex(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs, q := genDocs(t, 1, 12), genQuestion(t)
		cut := rapid.IntRange(0, len(docs)).Draw(t, "cut")
		one := recall.Search(q, indexed(t, docs...))
		two := recall.Search(q, slices.Concat(indexed(t, docs[:cut]...), indexed(t, docs[cut:]...)))
		if diff := cmp.Diff(one, two); diff != "" {
			t.Fatalf("(-one +two):\n%s", diff)
		}
	})
}

func TestWhatIsGoneIsNeverFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs, q := genDocs(t, 1, 12), genQuestion(t)
		gone := rapid.SliceOfN(rapid.Bool(), len(docs), len(docs)).Draw(t, "gone")
		parts := indexed(t, docs...)
		all := q
		all.Limit = len(docs)
		var want []string
		for _, h := range recall.Search(all, parts) {
			doc, _ := parts[0].Index.Find(h.ID)
			if !gone[doc] {
				want = append(want, h.ID)
			}
		}
		parts[0].Gone = func(doc int) bool { return gone[doc] }
		// The closer look is at the best hundred, here all of them.
		got := ids(recall.Search(q, parts))
		if got != strings.Join(want[:min(q.Limit, len(want))], " ") {
			t.Fatalf("found %q, want the first %d of %q", got, q.Limit, want)
		}
	})
}

func TestScoresDescendAndAreNumbers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		docs := genDocs(t, 1, 12)
		for i := range docs {
			if rapid.Bool().Draw(t, "turn") {
				docs[i].Kind, docs[i].Type, docs[i].Group, docs[i].Seq = recall.Turn, "Olena", fmt.Sprint(i/3), i
			}
		}
		last := math.Inf(1)
		seen := map[string]bool{}
		for _, h := range recall.Search(genQuestion(t), indexed(t, docs...)) {
			if !(h.Score > 0) || h.Score > last || seen[h.ID] {
				t.Fatalf("%s has %v after %v, seen %v", h.ID, h.Score, last, seen[h.ID])
			}
			last, seen[h.ID] = h.Score, true
		}
	})
}
