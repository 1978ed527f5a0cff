// Reads a JSON array of documents from standard input and prints, for each, what
// the lexer and the client make of it: one JSON object a line.
//   texts     every text that is searched for imports, if an @ is in it, in order
//   html      [raw, top] of every html block
//   paths     the imports
//   stripped  the text without its comments
// MARKED_PEER is the folder in which npm install was run.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { clientLex } from './quote.mjs';

const marked = await import(pathToFileURL(join(process.env.MARKED_PEER, 'node_modules/marked/lib/marked.esm.js')));
const lex = clientLex(marked);

const COMMENT = /<!--[\s\S]*?-->/g;
const isComment = (raw) => raw.trimStart().startsWith('<!--') && raw.includes('-->');

function paths(text) {
  const out = [];
  for (const [, raw] of text.matchAll(/(?:^|\s)@((?:[^\s\\]|\\ )+)/g)) {
    const path = raw.replace(/#.*$/s, '').replaceAll('\\ ', ' ');
    if (/^\.\/|^~\/|^\/.|^[A-Za-z0-9._-]/s.test(path)) out.push(path.trim());
  }
  return out;
}

function walk(tokens, out, top) {
  for (const t of tokens) {
    if (t.type === 'code' || t.type === 'codespan') continue;
    if (t.type === 'html') {
      if (t.block) out.html.push([t.raw, top]);
      if (isComment(t.raw)) out.texts.push(t.raw.replace(COMMENT, ''));
      continue;
    }
    if (t.type === 'text') out.texts.push(t.text);
    if (t.tokens) walk(t.tokens, out, false);
    if (t.items) walk(t.items, out, false);
  }
}

function strip(text, tokens) {
  if (!tokens.some((t) => t.type === 'html' && isComment(t.raw))) return text;
  return tokens.map((t) => {
    if (t.type !== 'html' || !isComment(t.raw)) return t.raw;
    const rest = t.raw.replace(COMMENT, '');
    return rest.trim() ? rest : '';
  }).join('');
}

for (const text of JSON.parse(readFileSync(0, 'utf8'))) {
  const out = { texts: [], html: [] };
  const tokens = lex(text);
  walk(tokens, out, true);
  out.texts = out.texts.filter((t) => t.includes('@'));
  out.paths = out.texts.flatMap(paths);
  out.stripped = strip(text, tokens);
  console.log(JSON.stringify(out));
}
