/**
 * A message as it is sent: without blank lines in front, and blanks at the end. The first of several lines keeps its indentation, which is that of
 * a piece of code or a list.
 */
export function trimMessage(text: string): string {
  const trimmed = text.trim()
  return trimmed.includes('\n') ? text.trimEnd().replace(/^\s*\n/, '') : trimmed
}
