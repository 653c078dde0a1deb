/**
 * Lists the languages that the first word of a fence may name, the likeliest first: the word itself, what stands after a prefix
 * (`lang-js`, `language-js`) and before a file's name (`html:index.html`) or attributes (`{.html}`, `js{1,3}`), the ending of a path (`src/app.css`) and the subtype of a media type
 * (`image/svg+xml`). In small letters.
 */
export function getLanguageNames(word: string): string[] {
  const whole = word.toLowerCase()
  const name = whole.replace(/^[{.]{0,2}(?:lang(?:uage)?-)?/, '').split(/[:={}[\](|,;]/, 1)[0] ?? ''
  const last = name.split(/[./]/).at(-1) ?? ''
  return [whole, name, last.replace(/^x-/, '').replace(/\+xml$/, '')]
}
