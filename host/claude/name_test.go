package claude

import (
	"encoding/json"
	"os"
	"testing"
)

func TestFolderNamesAreThoseOfTheClient(t *testing.T) {
	b, err := os.ReadFile("testdata/slugs.json")
	if err != nil {
		t.Fatal(err)
	}
	var pairs []struct{ Path, Name string }
	if err := json.Unmarshal(b, &pairs); err != nil {
		t.Fatal(err)
	}
	if len(pairs) == 0 {
		t.Fatal("no pairs")
	}
	for _, p := range pairs {
		if got := FolderName(p.Path); got != p.Name {
			t.Errorf("FolderName(%q) = %q, the client says %q", p.Path, got, p.Name)
		}
	}
}
