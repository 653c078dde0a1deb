// What a terminal shows of the text that programs send to it.

/** Colours, behind any control character: the escape may be damaged. */
const colours = /\p{Cc}\[[\d;]{0,20}m/gu
const commands =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]{0,40}[ -/]{0,5}[@-~]|\][^\u0007\u001b]{0,4000}(?:\u0007|\u001b\\)?|[()][0-9A-B])/g

/** A line that is written again from its beginning, as progress bars are: each character takes the place of the one before it. */
const overwrite = (line: string) =>
  line
    .split('\r')
    .toReversed()
    .reduce((shown, before) => (before.length > shown.length ? shown + before.slice(shown.length) : shown))

function eraseBackspaces(line: string): string {
  const characters: string[] = []
  for (const character of line)
    if (character === '\b') characters.pop()
    else characters.push(character)
  return characters.join('')
}

/** Shows a text as a terminal does: without its colours, its links and moves of the cursor, and with the last state of lines that are overwritten. */
export function showTerminal(text: string): string {
  const plain = text.replaceAll(colours, '').replaceAll(commands, '')
  if (!/[\r\b]/.test(plain)) return plain
  return plain
    .split('\n')
    .map((line) => overwrite(line.includes('\b') ? eraseBackspaces(line) : line))
    .join('\n')
}
