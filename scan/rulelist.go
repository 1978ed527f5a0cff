package scan

import "strings"

// A Rule is one thing that Scan looks for.
type Rule struct {
	ID    string
	Kind  Kind
	Level Level
	Why   string // the sentence that a finding carries
	About string // for documentation: what it catches and what it lets through
}

// Rules returns all rules, grouped by kind.
func Rules() []Rule {
	list := make([]Rule, 0, 64)
	for line := range strings.Lines(ruleList) {
		f := strings.SplitN(strings.TrimSpace(line), "|", 4)
		if len(f) != 4 {
			continue
		}
		kind, _, _ := strings.Cut(f[0], "/")
		list = append(list, Rule{ID: f[0], Kind: Kind(kind), Level: levelOf(f[1]), Why: f[2], About: f[3]})
	}
	return list
}

func levelOf(word string) Level {
	switch word {
	case "block":
		return Block
	case "quarantine":
		return Quarantine
	}
	return Warn
}

// ruleList has one rule a line: id, level, why, about. It is text, so that a
// process that scans nothing pays nothing for it.
const ruleList = `
hidden/tags|block|invisible tag characters spell text that only a machine reads|Characters of the block U+E0000. Flags of regions (a black flag, letters, the closing tag) pass.
hidden/selectors|block|variation selectors that can carry a byte each|VS17 to VS256 that follow no ideograph, or more than one of them.
hidden/selector-han|warn|an ideograph with a chosen variant|One of VS17 to VS256 after a Han character: a variant of a name, or one hidden byte.
hidden/selector|warn|a variation selector where none belongs|VS1 to VS14, and VS15 or VS16 without a base that takes them.
hidden/selector-run|block|several variation selectors in a row|Two or more selectors after one character change nothing but carry data.
hidden/zero-width|block|characters without width inside a word or in a row|Zero width spaces, joiners, word joiners, soft hyphens and invisible operators inside a Latin word or more than one at a time. Joiners in Arabic and Indic scripts and in emoji pass, and breaks in scripts without spaces.
hidden/zero-width-single|warn|a single character without width|One such character between words; often left by copying.
hidden/zero-width-code|block|single characters without width all over the text|Four or more lone characters without width: a code spread over the text.
hidden/bidi|block|characters that turn the direction of text|Embeddings, overrides and isolates make a line read otherwise than it is.
hidden/mark|warn|a direction mark outside right-to-left text|LRM, RLM or ALM on a line without letters that run right to left.
hidden/mark-run|block|direction marks in a row|More than two direction marks in a row do nothing but carry data.
hidden/filler|block|letters that draw nothing|Hangul fillers and blank Braille cells. A blank cell inside Braille passes.
hidden/private-use|block|private use characters|They mean what some font says, and can hide text from a reviewer.
hidden/escape|block|a terminal escape sequence|ESC in a note can repaint what a reviewer sees.
hidden/control|block|control characters|C0 and C1 controls other than tab and line ends; a carriage return inside a line.
hidden/line-separator|warn|a line separator of Unicode|U+2028 and U+2029 end a line for some readers only.
hidden/invisible|block|other invisible characters|Further format characters, noncharacters, selectors of Mongolian outside Mongolian.
hidden/invalid-utf8|quarantine|bytes that are no UTF-8|What such bytes show depends on the reader.
hidden/homoglyph|warn|a word that mixes look-alike letters of two scripts|Cyrillic, Greek and other letters that look Latin inside a Latin word. Endings on short forms and letters of formulas pass.
hidden/homoglyph-target|block|look-alike letters in an address, a package or a command|The same inside a link, a host name, code or an install command.
markup/comment|block|a hidden comment gives the agent instructions|HTML comments and link-reference comments with a request to the agent. Tables of contents, linter switches and plain remarks pass.
markup/hidden-element|quarantine|an element that is not displayed holds text|hidden, display:none, font-size:0 and their like. Shown in code, they pass.
markup/hidden-instruction|block|an instruction in text that is not displayed|An instruction inside a hidden element, alternative text, a title, behind a long run of spaces or at the far end of a line.
markup/spaces|quarantine|text behind a long run of spaces|200 or more spaces inside a line push what follows out of sight.
markup/blank-lines|quarantine|text below a long run of blank lines|40 or more blank lines push what follows out of sight.
markup/long-line|warn|a line of more than 2,000 characters|The end of such a line is seldom read.
markup/image-data|block|an image whose address takes what was said|A picture link with a place for text of the conversation sends it out when it is drawn.
encoded/base64|block|instructions in base64|Decoded text that is itself an instruction; hashes, keys, pictures and headers pass.
encoded/hex|block|instructions in hexadecimal digits|As above.
encoded/escapes|block|instructions in URL, HTML or string escapes|As above.
encoded/rot13|block|instructions in rot13|As above.
spoof/token|block|a control token of a model's chat format|Tokens such as those that begin and end turns. In code they pass in texts on attacks.
spoof/harness|block|a tag of the agent's own frame|Tags with which the agent's program wraps reminders, tool results and memory, at the start of a line or closing what was never opened.
spoof/tag|quarantine|a tag that looks like part of the agent's frame|The same in the middle of a line, and general tags (system, instructions, user) alone on a line. In code they pass.
spoof/role|quarantine|a line that poses as the system or the operator|A role name, a colon and a request.
spoof/boundary|quarantine|a line that claims the untrusted part is over|End markers of data, memory or context.
spoof/speaker|quarantine|text that claims to come from somebody else|"What follows was written by the user" and its like.
instruction/override|block|tells the agent to set its instructions aside|Requests to ignore, forget or replace rules, instructions or other notes as a whole.
instruction/secrecy|quarantine|tells the agent to keep something from the user|Requests not to tell, to hide a step or a note, to answer falsely when asked.
instruction/hidden-action|block|asks for an action and for silence about it|Secrecy together with another request in one sentence.
instruction/exfiltration|block|sends secrets to an address|Credentials, keys or the environment together with sending and an address outside.
instruction/data-out|quarantine|sends content of the project or the session out|Files, conversation or data together with sending and an address outside.
instruction/secret-exposed|quarantine|puts secrets where others read them|Credentials in plain text, in the repository, in messages or in notes.
instruction/outside-secret|quarantine|reads credentials outside the project|Key files and environment files of the home folder or of other projects.
instruction/remote-code|block|runs code straight from an unknown address|A download piped into a shell, from a host that is no known vendor's.
instruction/odd-binary|quarantine|runs a program from a temporary folder or address|Programs in temporary or hidden folders instead of installed ones.
instruction/redirect|quarantine|sends traffic by way of another address|Mirrors, proxies, endpoints, base addresses and bare IP addresses.
instruction/weak-transport|quarantine|turns off checks of certificates, signatures or hooks|Options and variables that stop verification, unless for this machine only.
instruction/package|quarantine|installs from another registry or address|Package sources that are no known registry.
instruction/package-name|quarantine|installs a package with a name close to a well-known one|One letter away from a popular package.
instruction/package-swap|quarantine|replaces an official package or tool|Claims that the official one is broken or retired and names another.
instruction/permissions|quarantine|gives the agent more rights|Permission modes, wildcards and protected settings.
instruction/oversight|quarantine|weakens reviews, audits or other checks|Requests to skip or disable what people rely on to see what happened.
instruction/no-confirmation|quarantine|does risky things without asking|Deploying, deleting, pushing, any command, without confirmation.
instruction/blind-trust|quarantine|tells the agent to trust without checking|Reviewed, safe or genuine by decree; act first, check later.
instruction/delayed|quarantine|waits for a trigger before it acts|An action tied to a later word of the user, a number of sessions, a quiet moment.
instruction/preference|quarantine|claims a consent the user may not have given|Standing approval or preference for something risky.
instruction/authority|quarantine|claims authority for something risky|Orders of security teams, managers or vendors together with an address, a secret or a switched-off check.
instruction/persistence|quarantine|protects or spreads itself|Notes that ask to be copied, kept word for word, not deleted, or put into other projects.
instruction/memory-write|quarantine|plants something in memory|Requests to remember approvals, waived checks, addresses or commands.
instruction/link|quarantine|puts an address with content into answers|Links, badges and templates that carry what was said.
instruction/recommendation|quarantine|promotes a source or product|Always first, the only trusted one.
instruction/endorsed-address|quarantine|declares an unknown address the official way|An install or fix address called standard without a source.
instruction/decode|quarantine|tells the agent to decode and obey|Encoded text with the request to follow it.
instruction/evidence|quarantine|removes failing tests or traces|Deleting failing tests, logs or history to look done.
instruction/address-agent|quarantine|speaks to any agent that reads this|Salutations to models and assistants with a request.
instruction/persona|quarantine|gives the agent another identity|From now on unrestricted, another person, another mode.
instruction/repeat-shortcut|quarantine|makes a skipped check the rule|A past success by leaving out a check, to be repeated.
instruction/other-language|quarantine|an instruction in another language|The classes above in other languages: override, secrecy, sending secrets, skipped checks, spreading.
frontmatter/trust|quarantine|the head claims trust, origin or approval|Trust is decided outside the note; keys that claim it are ignored.
frontmatter/path|quarantine|the name in the head is a path|Names with separators, dots or control characters.
frontmatter/duplicate|quarantine|a key stands twice in the head|Two readers would take different values.
frontmatter/alias|quarantine|anchors, aliases or tags in the head|They can make a small head grow without end, or make objects.
frontmatter/size|quarantine|the head is larger than any real one|More than 8 KB or 64 lines.
secret/credential|quarantine|a secret|Keys, tokens and passwords. The excerpt masks them.
personal/email|warn|an e-mail address|Addresses at example domains and no-reply pass.
personal/phone|warn|a phone number|International numbers with a country code.
personal/iban|warn|a bank account number|IBAN with a right check sum.
personal/card|warn|a card number|13 to 19 digits with a right check sum.
personal/id|warn|a national identity number|US social security numbers.
`
