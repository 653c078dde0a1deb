/** Absent, null and what is no text are one thing: nothing validates what arrives. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

export type Fields = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A part of what a server sent; empty if it is missing or no object. */
export const toFields = (value: unknown): Fields => (isRecord(value) ? value : {})
