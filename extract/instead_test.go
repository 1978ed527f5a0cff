package extract

import "testing"

func TestOneForAnotherIsACorrectionWhereTheAgentTookTheFirst(t *testing.T) {
	for _, tc := range []struct{ said, want string }{
		{"No, don't use npm here, use pnpm", "Don't use npm here, use pnpm."},
		{"no don't use npm, use pnpm", "Don't use npm, use pnpm."},
		{"don't use npm, use pnpm instead", "Don't use npm, use pnpm instead."},
		{"please do not run npm, run pnpm", "Do not run npm, run pnpm."},
		{"ні, не використовуй npm тут, використовуй pnpm", "Не використовуй npm тут, використовуй pnpm."},
		{"не запускай npm, запускай pnpm", "Не запускай npm, запускай pnpm."},
		// What is about this task alone is no rule.
		{"don't use that file, use the other one", ""},
		{"don't run the tests now, run the linter", ""},
		{"don't add it, add the other one", ""},
		{"не використовуй це, використовуй те", ""},
	} {
		k := newTalk(t).person("add lodash").bash("npm install lodash", false).person(tc.said)
		if tc.want == "" {
			k.want()
		} else {
			k.want(tc.want)
		}
	}
	newTalk(t).person("don't use npm, use pnpm").want() // nothing was set right
}
