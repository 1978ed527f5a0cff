package main

// dropped names the rules that are left out, and why.
func dropped() map[string]string {
	const (
		id     = "an id, public by design"
		public = "a public key"
		own    = "package secrets has a rule of its own: "
	)
	return map[string]string{
		"adobe-client-id":        id,
		"asana-client-id":        id,
		"bitbucket-client-id":    id,
		"discord-client-id":      id,
		"linkedin-client-id":     id,
		"looker-client-id":       id,
		"messagebird-client-id":  id,
		"plaid-client-id":        id,
		"sendbird-access-id":     id,
		"sumologic-access-id":    id,
		"flutterwave-public-key": public,
		"lob-pub-api-key":        public,
		"mailgun-pub-key":        public,
		"pkcs12-file":            "looks at file names only",
		"curl-auth-header":       own + "a header is a credential with or without curl before it",
		"curl-auth-user":         own + "this one looks six lines ahead, which is not linear here",
		"hashicorp-tf-password":  own + "password",
		"kubernetes-secret-yaml": own + "this one repeats any character 300 times for each word `secret`",
		"private-key":            own + "this one misses a key that was cut off",
	}
}

// A change is a new expression for a rule. Window and keywords are for a match
// that does not begin with its keyword.
type change struct {
	regex    string // "" leaves it
	keywords []string
	back     int      // bytes that a match can begin before the keyword
	ahead    int      // bytes that a match can go on after it; 0: from the expression
	dash     bool     // no dash before it either: else eyJ-eyJ-eyJ- is looked at again from each eyJ
	allow    []string // instead of the rule's own
	why      string
}

func changes() map[string][]change {
	digits := []string{"0q~", "1q~", "2q~", "3q~", "4q~", "5q~", "6q~", "7q~", "8q~", "9q~"}
	return map[string][]change{
		"atlassian-api-token": {
			{
				regex: pre + `(?:atlassian|confluence|jira)` + sep + `([a-z0-9]{20}[a-f0-9]{4})` + end,
				why:   "two rules in one expression",
			},
			{regex: `\b(ATATT3[A-Za-z0-9_\-=]{186})` + end, why: "two rules in one expression"},
		},
		"azure-ad-client-secret": {{keywords: digits, back: 5, why: "the keyword stands inside the match"}},
		"facebook-access-token":  {{keywords: []string{"facebook"}, back: 120, ahead: 120, why: "the keyword stands beside the match"}},
		"hashicorp-tf-api-token": {{keywords: []string{".atlasv1."}, back: 14, why: "the keyword stands inside the match"}},
		"maxmind-license-key":    {{keywords: []string{"_mmk"}, back: 37, why: "the keyword stands inside the match"}},
		"slack-webhook-url": {{
			regex: `\bhooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{43,56}`,
			why:   "the scheme says nothing",
		}},
		"jwt": {{
			regex: `\b(eyJ[a-zA-Z0-9_-]{14,}\.eyJ[a-zA-Z0-9\/\\_-]{14,}\.[a-zA-Z0-9\/\\_-]{16,}={0,2})` + end,
			dash:  true,
			why:   "without a signature it proves nothing to anybody",
		}},
		"sourcegraph-access-token": {{
			regex: `(?i)\b(sgp_(?:[a-f0-9]{16}|local)_[a-f0-9]{40}|sgp_[a-f0-9]{40})` + end,
			why:   "any commit hash in a note that has the word sourcegraph",
		}},
		"twilio-api-key":  {{regex: `\bSK[0-9a-fA-F]{32}\b`, why: "begins in the middle of words"}},
		"harness-api-key": {{regex: `\b(?:pat|sat)\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20}`, why: "begins in the middle of words"}},
		"freemius-secret-key": {{
			regex: `secret_key["']\s*=>\s*["'](sk_[\S]{29})["']`,
			why:   "the quote before the keyword says nothing",
		}},
		"huggingface-access-token": {{
			regex: `\b(hf_[a-zA-Z0-9]{34,40})` + end,
			why:   "tokens have digits too",
		}},
		"generic-api-key": {{
			regex: pre + `(?:access|auth|(?-i:[Aa]pi|API)|credential|creds|key|passw(?:or)?d|secret|token)` + sep +
				`([\w.=-]{10,}|[a-z0-9][a-z0-9+/]{11,}={0,3})` + end,
			ahead: 160,
			why:   "{10,150} makes 150 steps of a program that is tried at each word `key`; the reach says the same",
		}},
		"vault-service-token": {{
			allow: []string{`^s\.[A-Za-z]{24}$`},
			why:   "the exception for s.WordWithoutDigits held for one hvs. token in 200",
		}},
		"nuget-config-password": {{
			regex: `(?i)"(?:ClearText)?Password"\s+value="([^"\n]{8,200})"`,
			why:   "the start of the element says nothing",
		}},
		"airtable-personnal-access-token": {{
			regex: `\b(pat[[:alnum:]]{14}\.[a-f0-9]{64})\b`,
			why:   "needs no word airtable beside it",
		}},
	}
}

// globalRegexes mends one of gitleaks' own: it means ^(?:true|false|null)$, and
// as written lets any secret pass that has "false" in it.
func globalRegexes(list []string) []string {
	var mended []string
	for _, re := range list {
		if re == `(?i)^true|false|null$` {
			re = `(?i)^(?:true|false|null)$`
		}
		mended = append(mended, re)
	}
	return mended
}

// whys are the fixed words for rules whose description gitleaks does not begin
// with the name of what it found.
func whys() map[string]string {
	return map[string]string{
		"aws-access-token":                       "an AWS access key id",
		"aws-amazon-bedrock-api-key-long-lived":  "a long-lived Amazon Bedrock API key",
		"aws-amazon-bedrock-api-key-short-lived": "a short-lived Amazon Bedrock API key",
		"azure-ad-client-secret":                 "an Azure AD client secret",
		"cisco-meraki-api-key":                   "a Cisco Meraki API key",
		"clickhouse-cloud-api-secret-key":        "a ClickHouse Cloud API secret key",
		"codecov-access-token":                   "a Codecov access token",
		"generic-api-key":                        "a key or token",
		"github-pat":                             "a GitHub personal access token",
		"gocardless-api-token":                   "a GoCardless API token",
		"jwt":                                    "a signed JSON Web Token",
		"jwt-base64":                             "a base64-encoded JSON Web Token",
		"nuget-config-password":                  "a password in a NuGet configuration",
		"sourcegraph-access-token":               "a Sourcegraph access token",
		"sidekiq-sensitive-url":                  "a Sidekiq URL with credentials",
		"facebook-page-access-token":             "a Facebook page access token",
	}
}
