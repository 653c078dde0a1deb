import { createHash } from 'node:crypto'
import * as z from 'zod'

/*
 * The last stack has an output with the operator's settings, so that a later command finds settings that it was not given.
 */

/** CloudFormation does not document a limit of outputs; parameters and responses have 4,096 bytes, and so has this. */
const maxCharacters = 4_000
/** Longer values are recorded as a hash: whether one has changed can still be told. */
const maxValueCharacters = 200
const maxValueCharactersOfMany = 40

const hashed = (value: string) => `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 16)}`

const shorten = (settings: Readonly<Record<string, string>>, most: number) =>
  Object.fromEntries(
    Object.entries(settings)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, value.length > most ? hashed(value) : value]),
  )

/** Builds the output. Long values become hashes. @param settings the settings that the operator has made, as text */
export function formatSettings(settings: Readonly<Record<string, string>>): string {
  const text = JSON.stringify(shorten(settings, maxValueCharacters))
  return text.length <= maxCharacters ? text : JSON.stringify(shorten(settings, maxValueCharactersOfMany))
}

const recorded = z.record(z.string(), z.string())

/** A setting that is not as deployed; undefined: not set. */
export interface SettingChange {
  readonly key: string
  readonly deployed: string | undefined
  readonly now: string | undefined
}

/**
 * The settings that differ from what is deployed.
 * @param output of `formatSettings`
 * @returns undefined when the output cannot be read
 */
export function compareSettings(
  output: string,
  settings: Readonly<Record<string, string>>,
): SettingChange[] | undefined {
  const deployed = readRecorded(output)
  const now = readRecorded(formatSettings(settings))
  if (!deployed || !now) return undefined
  return [...new Set([...Object.keys(deployed), ...Object.keys(now)])]
    .toSorted()
    .filter((key) => !isSame(deployed[key], now[key], settings[key]))
    .map((key) => ({ key, deployed: deployed[key], now: now[key] }))
}

/** One of the two may be a hash, where many settings have become few. */
const isSame = (deployed: string | undefined, now: string | undefined, whole: string | undefined) =>
  deployed === now ||
  (deployed !== undefined && whole !== undefined && [whole, hashed(whole)].includes(deployed))

function readRecorded(output: string): Record<string, string> | undefined {
  try {
    return recorded.safeParse(JSON.parse(output)).data
  } catch {
    return undefined
  }
}
