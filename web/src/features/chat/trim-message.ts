/**
 * A message as it is sent: without blank lines in front, and blanks at the end. The first of several lines keeps its indentation, which is that of
 * a piece of code or a list.
 */
export function trimMessage(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.includes('\n')) return trimmed
  const before = text.slice(0, text.indexOf(trimmed))
  return before.slice(before.lastIndexOf('\n') + 1) + trimmed
}
