import { parseExactJson } from '../platform/exact-json.ts'

/** A call's arguments as the object that servers want, whatever the model wrote. */
export function parseArguments(text: string): Record<string, unknown> {
  try {
    const value = parseExactJson(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value))
      return value as Record<string, unknown>
  } catch {
    // the tool has reported it to the model already
  }
  return text.trim() === '' || text.trim() === 'null' ? {} : { unreadable: text }
}
