/** Whether a value is an object with fields: no array, and no number that `JSON.rawJSON` holds exactly. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
