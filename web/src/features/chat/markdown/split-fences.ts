/** Three or more backticks or tildes at the beginning of a line. */
const opener = /^ {0,3}(`{3,}|~{3,})/

/** A part of a text: plain, or the code of a fence. */
export type TextPart = { text: string; language?: undefined } | { text: string; language: string }

/** Splits a text at its fenced blocks of code. A fence that is not closed stays text. */
export function splitFences(text: string): TextPart[] {
  const lines = text.split('\n')
  const parts: TextPart[] = []
  let plainFrom = 0
  const addPlain = (to: number) => {
    const plain = lines.slice(plainFrom, to).join('\n')
    if (plain.trim() !== '') parts.push({ text: plain })
  }
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const [indented = '', mark = ''] = opener.exec(line) ?? []
    const info = line.slice(indented.length)
    // backticks with text and further backticks behind them are inline code
    if (mark === '' || (mark.startsWith('`') && info.includes('`'))) continue
    let end = index + 1
    while (end < lines.length && !isCloser(lines[end] ?? '', mark)) end += 1
    // all that follows would be its code
    if (end === lines.length) break
    addPlain(index)
    parts.push({ text: lines.slice(index + 1, end).join('\n'), language: info.trim().split(/\s/)[0] ?? '' })
    plainFrom = end + 1
    index = end
  }
  addPlain(lines.length)
  return parts
}

function isCloser(line: string, mark: string): boolean {
  const [indented = '', run = ''] = opener.exec(line) ?? []
  return run.startsWith(mark) && line.slice(indented.length).trim() === ''
}
