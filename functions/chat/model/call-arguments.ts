/** A call's arguments as the object that servers want, whatever the model wrote. */
export function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // the tool has reported it to the model already
  }
  return text.trim() === '' || text.trim() === 'null' ? {} : { unreadable: text }
}
