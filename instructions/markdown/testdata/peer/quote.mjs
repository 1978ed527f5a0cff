// The two differences between marked 15.0.7 and what Claude Code 2.1.332 was
// seen to do: which lines belong to a block quote, and that definitions are
// tokens. Nothing here was read in the client; it is what runs of the client
// showed.

// LAZY joins a line and the lazy line that continues its paragraph, so that no
// block rule looks across. It becomes a line feed before inline lexing.
const LAZY = '\uE123';

const TAGS = 'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details'
  + '|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html'
  + '|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section'
  + '|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

// What ends a paragraph in a quote, whether the line has its ">" or not.
const INTERRUPTS = [
  /^ {0,3}((?:-[\t ]*){3,}|(?:_[\t ]*){3,}|(?:\*[\t ]*){3,})$/,
  /^ {0,3}#{1,6}(?:\s|$)/,
  new RegExp('^ {0,3}(?:</?(?:' + TAGS + ')(?: +|$|/?>)|<(?:script|pre|style|textarea)(?:[\\s>]|$)|<!--)', 'i'),
  /^<(?:script|pre|style|textarea)/,
];
const interrupts = (line) => INTERRUPTS.some((r) => r.test(line));
const FENCE = new RegExp('^ {0,3}(?:`{3,}(?=[^`' + LAZY + ']*$)|~{3,}(?=[^' + LAZY + ']*$))');
// A line without ">" opens a list item only where marked sees one: a marker with
// a single blank and nothing else is none, but for those that end any paragraph.
const ITEM = new RegExp('^ {0,3}(?:[*+-]|\\d{1,9}[.)])(?:[ \\t][^' + LAZY + '].*)?$|^ {0,3}(?:[*+-]|1[.)]) ', 's');
const BARE = /^ {0,3}(?:[*+-]|\d{1,9}[.)])(?: |\t|$)/;

const QUOTE = /^ {0,3}>[ \t]?/;
const BLANK = /^[ \t]*$/;

const unlazy = (s) => s.replaceAll(LAZY, '\n');

function unlazyTokens(tokens) {
  for (const t of tokens) {
    t.raw = unlazy(t.raw);
    if (typeof t.text === 'string') t.text = unlazy(t.text);
    if (t.tokens) unlazyTokens(t.tokens);
    if (t.items) unlazyTokens(t.items);
  }
}

const lastOf = (tokens) => tokens.findLast((t) => t.type !== 'space');

// isOpen tells whether a paragraph is the innermost open block.
function isOpen(tokens) {
  const t = lastOf(tokens);
  switch (t?.type) {
    case 'paragraph': case 'text': case 'def': return true;
    case 'blockquote': return !/(^|\n)[ \t]*$/.test(t.text) && isOpen(t.tokens);
    case 'list': return isOpen(t.items.at(-1).tokens);
  }
  return false;
}

// itemWidth is how far a list item's lines must be indented.
function itemWidth(raw) {
  const [, marker, rest] = /^( {0,3}(?:[*+-]|\d{1,9}[.)]))((?:[\t ][^\n]*)?)/.exec(raw);
  const line = rest.split(LAZY)[0];
  if (!line.trim()) return marker.length + 1;
  const n = line.search(/[^ ]/);
  return marker.length + (n > 4 ? 1 : n);
}

// endsInDefinition tells whether the innermost open block is a definition: a lazy
// line does not become a part of that, but text behind it.
function endsInDefinition(tokens) {
  const t = lastOf(tokens);
  return t?.type === 'def' || !!t && endsInDefinition(t.tokens && t.type === 'blockquote' ? t.tokens : t.items?.at(-1).tokens ?? []);
}

// pathTo lists the containers of the innermost open block: widths of list items,
// 0 for a quote.
function pathTo(tokens) {
  const t = lastOf(tokens);
  if (t?.type === 'blockquote') return [0, ...pathTo(t.tokens)];
  if (t?.type === 'list') return [itemWidth(t.items.at(-1).raw), ...pathTo(t.items.at(-1).tokens)];
  return [];
}

// strictly says how a line goes on after a lazy one: 'lazy' with what of it
// continues the paragraph and whether the next line is read in this way too,
// 'break' when it ends the list or quote whose marks it lacks, or null.
function strictly(line, path) {
  let all = true;
  for (const width of path) {
    const plain = width ? line.replace(/\t/g, '    ') : line;
    if (width ? plain.search(/[^ ]/) < width : !QUOTE.test(line)) {
      all = false;
      break;
    }
    line = width ? plain.slice(width) : line.replace(QUOTE, '');
  }
  if (BLANK.test(line)) return null;
  if (/^(?: {4}| {0,3}\t)/.test(line)) return path.length ? { how: 'lazy', line, more: true } : null;
  if (all) return /^ {0,3}(?:[*+]|1[.)]) $/.test(line) ? { how: 'lazy', line, more: false } : null;
  if (QUOTE.test(line) || interrupts(line) || FENCE.test(line) || BARE.test(line)) return { how: 'break' };
  return { how: 'lazy', line, more: true };
}

// patchRules keeps LAZY out of start tags, definitions, fences and the first
// line of a list item.
function patchRules(block) {
  const without = (re, ...classes) => new RegExp(
    classes.reduce((src, c) => src.replaceAll(c, c.slice(0, -1) + LAZY + ']'), re.source), re.flags);
  block.html = without(block.html, '[^"\\n]', "[^'\\n]", '[^\\s"\'=<>`]');
  block.html = new RegExp(block.html.source.replace('[\\s>]', '(?:>|\\s(?![ \\t]*' + LAZY + '))'), block.html.flags);
  block.def = without(block.def, '[^\\[\\]\\\\]', '[^"\\\\]', "[^'\\n]", '[^()]', '[^<\\s]', '[^\\s]');
  block.def = new RegExp(block.def.source.replace('<.*?>', '<(?:(?!' + LAZY + ').)*?>'), block.def.flags);
  block.fences = new RegExp(block.fences.source
    .replace('[^`\\n]*', '[^`\\n' + LAZY + ']*').replace('([^\\n]*)', '([^\\n' + LAZY + ']*)'), block.fences.flags);
  block.paragraph = new RegExp(block.paragraph.source.replace('[^`\\n]*\\n)|~{3,})[^\\n]*\\n',
    '[^`\\n' + LAZY + ']*\\n)|~{3,})[^\\n' + LAZY + ']*\\n'), block.paragraph.flags);
  block.list = new RegExp(block.list.source.replace('([ \\t][^\\n]+?)?', '([ \\t][^\\n' + LAZY + '][^\\n]*?)?'), block.list.flags);
}

// clientLex returns a function that lexes as the client does.
export function clientLex({ Lexer, Tokenizer }) {
  patchRules(Lexer.rules.block.normal);

  class ClientTokenizer extends Tokenizer {
    blockquote(src) {
      const lines = src.split('\n');
      const ended = lines.at(-1) === '';
      if (ended) lines.pop();
      if (!QUOTE.test(lines[0])) return;
      let inner = '';
      let strict = null;
      let n = 0;
      // Outside of all containers a fence counts only with a line feed behind it.
      const fences = () => this.lexer.inside || n + 1 < lines.length || ended;
      const isBlock = (line) => interrupts(line) || ITEM.test(line) || fences() && FENCE.test(line);
      for (; n < lines.length; n++) {
        if (QUOTE.test(lines[n])) {
          const line = lines[n].replace(QUOTE, '');
          const next = strict && strictly(line, strict);
          if (next?.how === 'lazy') {
            inner += LAZY + next.line;
          } else {
            inner += (n ? '\n' : '') + (next ? '\n' : '') + line;
          }
          if (!next?.more) strict = null;
          continue;
        }
        if (BLANK.test(lines[n]) || isBlock(lines[n]) || /(^|\n)[ \t]*$/.test(inner)) break;
        if (!strict) {
          const tokens = lex(inner, true);
          if (!isOpen(tokens)) break;
          strict = pathTo(tokens);
          if (endsInDefinition(tokens)) inner += '\n';
        }
        inner += LAZY + lines[n];
      }
      const raw = lines.slice(0, n).join('\n') + (n < lines.length || ended ? '\n' : '');
      const top = this.lexer.state.top;
      this.lexer.state.top = true;
      const tokens = this.lexer.blockTokens(inner, []);
      this.lexer.state.top = top;
      for (const job of this.lexer.inlineQueue) job.src = unlazy(job.src);
      unlazyTokens(tokens);
      return { type: 'blockquote', raw, tokens, text: inner };
    }
  }

  // marked knows definitions, but has no token for them.
  function definition(src, tokens) {
    const last = tokens.at(-1)?.type;
    if (last === 'paragraph' || last === 'text') return;
    const token = this.lexer.tokenizer.def(src);
    if (token) this.lexer.tokens.links[token.tag] ??= { href: token.href, title: token.title };
    return token;
  }

  class ClientLexer extends Lexer {
    depth = 0;
    nested = false; // what it lexes is part of a quote

    get inside() { return this.nested || this.depth > 1; }

    blockTokens(...args) {
      this.depth++;
      const tokens = super.blockTokens(...args);
      this.depth--;
      return tokens;
    }
  }

  function lex(src, nested = false) {
    const lexer = new ClientLexer({ gfm: false, tokenizer: new ClientTokenizer(), extensions: { block: [definition] } });
    lexer.nested = nested;
    return lexer.lex(src);
  }
  return (src) => lex(src);
}
