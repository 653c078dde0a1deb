import { expect, it } from 'vitest'
import { toComparable } from './comparable-text.ts'
import { findTerms, hasEveryTerm, parseSearch } from './search-terms.ts'

it.each([
  ['a straight apostrophe', 'Bonnie’s ticket', "Bonnie's"],
  ['a typographic apostrophe', "They won't", 'won’t'],
  ['no apostrophe', 'They won’t', 'wont'],
  ['a full-width letter', 'ＡＢＣ商事の見積もり', 'abc商事'],
  ['a half-width kana', 'ガイド', 'ｶﾞｲﾄﾞ'],
  ['ß as ss', 'Die Straße', 'strasse'],
  ['ss as ß', 'Die Strasse', 'Straße'],
  ['no accents', 'Café Élan', 'cafe elan'],
  ['accents in two signs', 'Café', 'Cafe\u0301'],
  ['another dash', 'pages 12–14', 'pages 12-14'],
  ['a word that is written in two', 'a well-known place', '"well known"'],
  ['a word that is written as one', 'by e-mail', 'email'],
  ['a word with a hyphen', 'by email', 'e-mail'],
  ['a non-breaking hyphen', 'e\u2011mail', 'e-mail'],
  ['a soft hyphen', 'har\u00adbour', 'harbour'],
  ['a number without its separators', 'It is 1,234,567.', '1234567'],
  ['a number with other separators', 'It is 1 234 567.', '1.234.567'],
  ['a letter between a digit and a number', '第1章 100ページ', '第1章'],
  ['a phrase with a bold word', 'The **Total** cost', '"total cost"'],
  ['a phrase with an italic part of a word', 'un*frigging*believable', 'unfriggingbelievable'],
  ['a phrase with code', 'Run `npm ci` first', '"npm ci first"'],
  ['a phrase over the end of a line', 'the harbour\nmaster', '"harbour master"'],
  ['a phrase over the end of a quoted line', '> the harbour\n> master', '"harbour master"'],
  ['a phrase over the end of a Chinese line', '我们在东京\n都买票', '东京都'],
  ['a phrase into a link', 'see the [harbour plan](https://example.org/a_(b)) today', '"plan today"'],
  ['a phrase into a heading', '# The **end**', '"the end"'],
  ['a phrase over cells', '| Oslo | 900 |', '"oslo 900"'],
  ['a phrase with quotation marks inside', 'He said “keep it” twice', '"said keep it"'],
  ['a phrase in typographic quotation marks', 'keep the receipt', '“keep the receipt”'],
  ['a phrase in German quotation marks', 'den Beleg behalten', '„Beleg behalten“'],
  ['a phrase in French quotation marks', 'garder le reçu', '«garder le»'],
  ['a phrase in Japanese quotation marks', '東京都に行く', '「東京都に」'],
  ['a phrase that is not finished', 'keep the receipt', '"keep the'],
  ['a name of code', 'call `snake_case` and __init__', 'snake_case __init__'],
  ['code with stars', 'x = a ** b', '"a ** b"'],
  ['a language whose name has signs', 'C# and C++', 'c# c++'],
  ['the Turkish capital', 'İSTANBUL', 'istanbul'],
  ['an Arabic ending', 'مدينة', 'مدينه'],
  ['Arabic digits', 'عام ٢٠٢٦', '2026'],
  ['Arabic points', 'كِتَابٌ', 'كتاب'],
  ['a narrow no-break space', '20\u202fkm', '"20 km"'],
  ['two letters for an umlaut', 'In Österreich', 'oesterreich'],
  ['two letters for one of two signs', 'A\u030alesund', 'Aalesund'],
  ['an umlaut for two letters', 'In Oesterreich', 'Österreich'],
  ['keys', 'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>', 'Ctrl+C'],
  ['a phrase with marked text', 'the ==key== word', '"the key word"'],
  ['a tag in code', 'The `<kbd>` element', 'kbd'],
  ['a rare Chinese letter before a blank', '𠮷 野家に行く', '𠮷野家'],
  ['a hyphen between rare letters', '𝒜-𝒷', '𝒜𝒷'],
  ['a comparison', 'if x == 1', '"x == 1"'],
])('is found by %s', (_, text, query) => {
  expect(hasEveryTerm(text, parseSearch(query))).toBe(true)
})

it.each([
  ['Der C-Kurs', 'c#'],
  ['The ferry to Capri', '"capri ferry"'],
  ['It is 3.14', '314'],
  ['on 1,23 m', '1.23 m2'],
  ['The dos', 'does'],
])('%s is not found by %s', (text, query) => {
  expect(hasEveryTerm(text, parseSearch(query))).toBe(false)
})

it.each([
  ['Die Straße ist gesperrt', 'strasse', ['Straße']],
  ['Nach Österreich', 'oesterreich', ['Österreich']],
  ['It dos', 'does', []],
  ['<kbd>Ctrl</kbd>+<kbd>C</kbd>', 'ctrl+c', ['Ctrl</kbd>+<kbd>C']],
  ['The **Total** cost', '"total cost"', ['Total** cost']],
  ['ＡＢＣ商事', 'abc', ['ＡＢＣ']],
  ['1,234 and 1234', '1234', ['1,234', '1234']],
  ['won’t, wont', "won't", ['won’t', 'wont']],
  ['👩‍👩‍👧 Family', 'family', ['Family']],
  ['ﬁnal', 'in', ['ﬁn']],
  ['one two one', 'one', ['one', 'one']],
  ['banana', 'ana nan', ['anan']],
  ['ostlich, dann östlich', 'oestlich', ['östlich']],
  ['[harbour](https://example.org) [plan](b)', 'plan', ['plan']],
])('in %s, %s is marked as %j', (text, query, marked) => {
  const ranges = findTerms(text, parseSearch(query))
  expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(marked)
})

it('parses words and phrases, each once', () => {
  expect(parseSearch(' one "two three" One fo"ur ').map(([term]) => term)).toEqual([
    'one',
    'two three',
    'four',
  ])
  expect(parseSearch('"" * "')).toEqual([])
})

it('takes a time that grows with the length of the text', () => {
  for (const text of ['](', '](a(', '> ', '\n#', ' |', ' ', '1,', 'é\u0301', '](('])
    expect(toComparable(text.repeat(200_000 / text.length)).length).toBeGreaterThanOrEqual(0)
})
