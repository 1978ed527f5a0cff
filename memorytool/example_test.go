package memorytool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"dormouse/memorytool"
	"dormouse/testkit/modelserver"
)

// A program that lets a model use its memory: it asks, does what the model calls the
// tool for, and tells it, until the model has nothing to call. The model here follows
// a script.
func Example() {
	server, err := modelserver.Start(modelserver.Steps(
		modelserver.Step{Calls: []modelserver.Call{{ID: "toolu_1", Name: "memory", Input: `{"command":"create","path":"/memories/prices.md","file_text":"Prices are integers in cents.\n"}`}}},
		modelserver.Step{Calls: []modelserver.Call{{ID: "toolu_2", Name: "memory", Input: `{"command":"view","path":"/memories/prices.md"}`}}},
		modelserver.Step{Text: "I will remember that."},
	))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = server.Close() }()
	dir, err := os.MkdirTemp("", "memories")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	folder, err := memorytool.OpenDir(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = folder.Close() }()
	tool := &memorytool.Tool{Folder: folder}

	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("sk-test"))
	messages := []anthropic.BetaMessageParam{anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("Remember: prices are integers in cents."))}
	for {
		answer, err := client.Beta.Messages.New(context.Background(), anthropic.BetaMessageNewParams{
			Model: "claude-opus-5", MaxTokens: 1000, Messages: messages,
			Tools: []anthropic.BetaToolUnionParam{{OfMemoryTool20250818: &anthropic.BetaMemoryTool20250818Param{}}},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		messages = append(messages, answer.ToParam())
		var results []anthropic.BetaContentBlockParamUnion
		for _, block := range answer.Content {
			switch b := block.AsAny().(type) {
			case anthropic.BetaTextBlock:
				fmt.Println(b.Text)
			case anthropic.BetaToolUseBlock:
				input, err := json.Marshal(b.Input)
				if err != nil {
					fmt.Println(err)
					return
				}
				a := tool.Call(context.Background(), input)
				fmt.Println(a.Text)
				results = append(results, anthropic.NewBetaToolResultBlock(b.ID, a.Text, a.Failed))
			}
		}
		if len(results) == 0 {
			return
		}
		messages = append(messages, anthropic.NewBetaUserMessage(results...))
	}
	// Output:
	// File created successfully at: /memories/prices.md
	// Here's the content of /memories/prices.md with line numbers:
	//      1	Prices are integers in cents.
	// I will remember that.
}
