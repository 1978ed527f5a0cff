package secrets

import (
	"encoding/base64"
	"strings"
	"unicode"
)

// own returns the rules that gitleaks lacks or has in a form that is of no use
// here.
func own() []*rule {
	var rules []*rule
	add := func(r *rule) { r.own = true; rules = append(rules, r) }
	// shape adds a rule for tokens that begin with a prefix nobody writes by
	// chance; solid is the least length of the token in bytes.
	shape := func(id, why string, solid int, re string, keywords ...string) {
		r := &rule{id: id, why: why, kind: kindAnchored, boundary: true, solid: solid, reach: 600, keywords: keywords, check: random}
		r.setRegexp(re)
		add(r)
	}
	shape("openai-project-key", "an OpenAI API key", 28, `sk-(?:proj|svcacct|admin|None)-[\w-]{20,300}`, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-")
	shape("openrouter-key", "an OpenRouter API key", 40, `sk-or-v1-[a-f0-9]{32,80}`, "sk-or-v1-")
	shape("sk-key", "an API key of the form sk-…", 35, `sk-[A-Za-z0-9]{32,100}`, "sk-")
	shape("anthropic-token", "an Anthropic key or token", 34, `sk-ant-[a-z]{2,8}\d{2}-[\w-]{20,300}`, "sk-ant-")
	shape("google-oauth-secret", "a Google OAuth client secret", 35, `GOCSPX-[\w-]{28}`, "gocspx-")
	shape("google-oauth-token", "a Google OAuth access token", 34, `ya29\.[\w-]{30,500}`, "ya29.")
	shape("google-refresh-token", "a Google OAuth refresh token", 44, `1//0[\w-]{40,200}`, "1//0")
	shape("groq-key", "a Groq API key", 44, `gsk_[A-Za-z0-9]{40,80}`, "gsk_")
	shape("xai-key", "an xAI API key", 64, `xai-[A-Za-z0-9]{60,100}`, "xai-")
	shape("replicate-token", "a Replicate API token", 40, `r8_[A-Za-z0-9]{37}`, "r8_")
	shape("docker-token", "a Docker Hub access token", 29, `dckr_[po]at_[\w-]{20,80}`, "dckr_pat_", "dckr_oat_")
	shape("supabase-token", "a Supabase access token", 44, `sbp_[a-f0-9]{40}`, "sbp_")
	shape("supabase-secret-key", "a Supabase secret key", 30, `sb_secret_[\w-]{20,80}`, "sb_secret_")
	shape("tailscale-key", "a Tailscale key", 24, `tskey-[a-z]+-[A-Za-z0-9-]{16,100}`, "tskey-")
	shape("stripe-webhook-secret", "a Stripe webhook signing secret", 30, `whsec_[A-Za-z0-9+/=]{24,100}`, "whsec_")
	shape("slack-session-token", "a Slack session token", 30, `xox[cd]-[\w%.-]{24,400}`, "xoxc-", "xoxd-")
	shape("netlify-token", "a Netlify access token", 40, `nfp_[A-Za-z0-9]{36}`, "nfp_")
	shape("figma-token", "a Figma access token", 43, `figd_[\w-]{38,60}`, "figd_")
	shape("langsmith-key", "a LangSmith API key", 51, `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`, "lsv2_")
	shape("crates-io-token", "a crates.io API token", 35, `cio[A-Za-z0-9]{32}`, "cio")
	shape("render-key", "a Render API key", 32, `rnd_[A-Za-z0-9]{28,60}`, "rnd_")
	shape("bitbucket-app-password", "a Bitbucket app password", 32, `ATBB[A-Za-z0-9]{28,60}`, "atbb")
	shape("notion-secret", "a Notion integration secret", 50, `secret_[A-Za-z0-9]{43}`, "secret_")
	shape("sonarqube-token", "a SonarQube token", 44, `sq[apu]_[a-f0-9]{40}`, "sqa_", "sqp_", "squ_")
	shape("discord-webhook", "a Discord webhook URL", 80, `discord(?:app)?\.com/api/webhooks/\d{15,20}/[\w-]{40,100}`, "discord.com/api/webhooks/", "discordapp.com/api/webhooks/")
	shape("azure-sas", "the signature of an Azure SAS URL", 44, `sig=([A-Za-z0-9%+/]{38,90}(?:%3[dD]|=))`, "sig=")
	shape("azure-account-key", "an Azure storage account key", 50, `(?:Shared)?(?i:AccountKey|AccessKey)=([A-Za-z0-9+/]{40,90}={1,2})`, "accountkey=", "sharedaccesskey=")
	shape("otp-secret", "the secret of a one-time password", 30, `otpauth://[^\s"'<>]{0,300}?[?&]secret=([A-Za-z2-7]{16,128})`, "otpauth://")
	shape("bearer-token", "a bearer token in a header", 0, `(?i)bearer[ \t]+["'\x60]?([\w.~+/=-]{16,500})`, "bearer ", "bearer\t")
	shape("authorization-header", "a credential in a header", 0,
		`(?i)authorization:[ \t]*(?:(?:api-?)?(?:token|key)[ \t=]+)?["'\x60]?([\w.~@+/=-]{16,500})`, "authorization:")
	rules[len(rules)-1].check = func(v string) bool { return isUUID(v) || random(v) }
	shape("session-cookie", "a session cookie", 0,
		`(?i)(?:phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|laravel_session|session_?id|session|sid|auth_token|remember_token|(?:__Secure-|__Host-)[\w.-]{1,60})=["']?([\w%.+/=-]{16,500})`,
		"phpsessid=", "jsessionid=", "asp.net_sessionid=", "connect.sid=", "laravel_session=", "sessionid=", "session_id=", "session=", "sid=", "auth_token=", "remember_token=", "__secure-", "__host-")
	// The name comes before _session: mysite_session=.
	rules[len(rules)-1].boundary = false

	pair := &rule{id: "login", why: "a user and password", kind: kindAnchored, boundary: true, reach: 200, keywords: []string{"login", "credential", "creds"}, check: mixed}
	pair.setRegexp(`(?i)(?:logins?|credentials?|creds)\b[ \w]{0,20}(?::| are | is )[ \t]*["'\x60]?[\w.@-]{1,40}[ \t]?[/:][ \t]?["'\x60]?([^\s"'\x60]{6,80})`)
	add(pair)
	add(telegram())
	add(awsSecret())
	add(&rule{id: "basic-auth", why: "a user and password in a header", kind: kindCode, boundary: true, keywords: []string{"basic ", "basic\t"}, code: basicAuth})
	add(&rule{id: "curl-user", why: "a user and password for curl", kind: kindCode, boundary: true, keywords: []string{"curl "}, code: curlUser})
	add(&rule{id: "option-password", why: "a password in a command", kind: kindCode, boundary: true, keywords: []string{"sshpass ", "mysql ", "mysqldump ", "docker login ", "podman login ", "requirepass "}, code: optionPassword})
	add(&rule{id: "netrc-password", why: "a password in a netrc file", kind: kindCode, boundary: true, keywords: []string{"machine "}, code: netrc})
	add(&rule{id: "url-password", why: "a password in a URL", kind: kindCode, keywords: []string{"://"}, code: urlPassword})
	add(&rule{id: "private-key", why: "a private key", kind: kindCode, keywords: []string{"-----begin"}, code: pemKey})
	add(&rule{id: "private-key", why: "the end of a private key", kind: kindCode, keywords: []string{"-----end"}, code: pemTail})
	add(&rule{id: "private-key", why: "a PuTTY private key", kind: kindCode, boundary: true, keywords: []string{"private-lines:"}, code: puttyKey})
	add(&rule{id: "ssh-private-key", why: "an SSH private key", kind: kindCode, keywords: []string{"b3blbnnzac1rzxktdje"}, code: sshBody})
	add(&rule{id: "kubernetes-secret", why: "the data of a Kubernetes secret", kind: kindCode, boundary: true, keywords: kindSecret(), code: dataAfter})
	add(&rule{id: "kubernetes-secret", why: "the data of a Kubernetes secret", kind: kindCode, boundary: true, keywords: kindSecret(), code: dataBefore})
	add(&rule{
		id: "password", why: "a password", kind: kindCode, rank: rankPassword, code: password,
		keywords: []string{"password", "passwort", "kennwort", "passphrase", "passcode", "passwd", "contraseña", "pwd", "pass", "pw:", "pw=", "pw "},
	})
	add(&rule{
		id: "secret-value", why: "a key or token", kind: kindCode, rank: rankGeneric, code: secretValue,
		keywords: []string{"secret", "token", "api_key", "api-key", "api key", "apikey"},
	})
	for _, r := range spokenRules() {
		add(r)
	}
	return rules
}

func telegram() *rule {
	r := &rule{id: "telegram-bot-token", why: "a Telegram bot token", kind: kindWindow, back: 11, reach: 50, keywords: []string{":aa"}, check: random}
	r.setRegexp(`\b(\d{8,10}:AA[\w-]{33})(?:[^\w-]|$)`)
	return r
}

func awsSecret() *rule {
	r := &rule{
		id: "aws-secret-access-key", why: "an AWS secret access key", kind: kindNamed, reach: 48, check: random,
		keywords: []string{"aws_secret", "secret_access_key", "secretaccesskey", "secret access key"},
	}
	r.setRegexp(`([A-Za-z0-9/+]{40})(?:[^\w+/=]|$)`)
	return r
}

// random reports whether a value has a digit and as much variety as a random one
// of its length at least; the words of a slug have neither.
func random(v string) bool {
	return hasDigit(v) && entropy(v) >= 3 && !isUUID(v) && !wordy(v)
}

// mixed reports whether a value has what a path or a name beside "login" has not.
func mixed(v string) bool {
	return hasDigit(v) && hasLetter(v) && !strings.Contains(v, "/") && (strings.ContainsAny(v, "!#$%^&+=?~") || !wordy(v))
}

// basicAuth reads `Basic dXNlcjpwYXNz`: base64 of user:password, so that "basic
// authentication" is none.
func basicAuth(text string, _, after int) (start, end int, ok bool) {
	start = skip(text, after, " \t\"'`", 4)
	end = start
	for end < len(text) && end-start < 400 && isBase64(text[end]) {
		end++
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text[start:end], "="))
	if err != nil || end-start < 8 {
		return 0, 0, false
	}
	user, pw, found := strings.Cut(string(plain), ":")
	if !found || user+pw == "" || strings.ContainsFunc(string(plain), unprintable) {
		return 0, 0, false
	}
	return start, end, pw != "" && !madeUp(pw) && !common(pw, user)
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

func isBase64(c byte) bool {
	return c != '_' && isWord(c) || c == '+' || c == '/' || c == '='
}

// urlPassword reads scheme://user:password@host.
func urlPassword(text string, at, after int) (start, end int, ok bool) {
	if at == 0 || !isWord(text[at-1]) {
		return 0, 0, false
	}
	colon, sign := -1, -1
	for i := after; i < len(text) && i < after+300; i++ {
		c := text[i]
		if isSpace(c) || strings.IndexByte("/\"'`<>()|", c) >= 0 {
			break
		}
		if c == ':' && colon < 0 {
			colon = i
		}
		if c == '@' {
			sign = i // a password may have one, a host has none
		}
	}
	if colon < 0 || sign < colon+3 || sign+1 >= len(text) || !isWord(text[sign+1]) && strings.IndexByte("[${", text[sign+1]) < 0 {
		return 0, 0, false
	}
	user, pw := text[after:colon], text[colon+1:sign]
	return colon + 1, sign, !madeUp(pw) && !common(pw, user) && !strings.HasPrefix(pw, "...")
}

func kindSecret() []string { return []string{"kind: secret", "kind: \"secret"} }

// dataAfter finds the values under data: in the rest of the document that begins
// with kind: Secret.
func dataAfter(text string, _, after int) (start, end int, ok bool) {
	doc := text[after:min(len(text), after+2000)]
	for _, next := range [...]string{"\n---", "\nkind:"} {
		if n := strings.Index(doc, next); n >= 0 {
			doc = doc[:n]
		}
	}
	return data(doc, after)
}

// dataBefore finds them before kind: Secret, where kubectl prints them.
func dataBefore(text string, at, _ int) (start, end int, ok bool) {
	from := max(0, at-2000)
	for _, last := range [...]string{"\n---", "\nkind:"} {
		if n := strings.LastIndex(text[from:at], last); n >= 0 {
			from += n + 1
		}
	}
	return data(text[from:at], from)
}

func data(doc string, offset int) (start, end int, ok bool) {
	for _, head := range [...]string{"\ndata:", "\nstringData:"} {
		if n := strings.Index(doc, head); n >= 0 {
			n += len(head)
			if s, e, found := indented(doc[n:]); found {
				return offset + n + s, offset + n + e, true
			}
		}
	}
	return 0, 0, false
}

// indented returns from the first value to the last of the indented lines "key:
// value" that follow.
func indented(text string) (start, end int, ok bool) {
	at := strings.IndexByte(text, '\n') + 1
	if at == 0 {
		return 0, 0, false
	}
	for line := range strings.Lines(text[at:]) {
		trimmed := strings.TrimRight(line, " \r\n")
		name, value, found := strings.Cut(trimmed, ": ")
		if !found || !strings.HasPrefix(name, " ") {
			break
		}
		if value = strings.Trim(value, " \"'"); len(value) >= 4 && !madeUp(value) {
			if !ok {
				start, ok = at+strings.Index(line, value), true
			}
			end = at + strings.Index(line, value) + len(value)
		}
		at += len(line)
	}
	return start, end, ok
}
