import { truncate } from '#shared/truncate.ts'

/** Reads values of an export, whose fields may be missing or have any type. */

export type Fields = Readonly<Record<string, unknown>>

/** @returns the object; one without fields for anything else */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A time in milliseconds: ISO 8601, or a number of seconds or milliseconds. @returns undefined for others, and for times to come */
export function toTimeMs(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Date.parse(value) : Number(value)
  if (value === null || !Number.isFinite(number)) return undefined
  // 1e11 seconds are in the year 5138, and 1e11 milliseconds in 1973
  const timeMs = typeof value === 'string' || number > 1e11 ? number : number * 1000
  return timeMs > 0 && timeMs <= Date.now() ? Math.floor(timeMs) : undefined
}

/** A document as a block of code with its name; the fence is longer than any in it. */
export function formatDocument(name: string, content: string): string {
  let longest = 2
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  const label = truncate(name.replace(/[\s`*]+/g, ' ').trim(), 200)
  return `${label === '' ? '' : `**${label}**\n\n`}${fence}\n${content}\n${fence}`
}
