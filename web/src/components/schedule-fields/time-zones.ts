import { formatTimeZone } from '../../lib/describe-rule.ts'
import { findReadersZone } from '../../lib/local-time.ts'

/** Not every browser lists it. */
const utc = 'UTC'

function listSupported(): readonly string[] {
  try {
    return Intl.supportedValuesOf('timeZone')
  } catch {
    // browsers before 2022 do not have the function
    return []
  }
}

let supported: readonly string[] | undefined

/**
 * The time zones to choose from: the reader's first, which lists of browsers may have by another name, then all by name.
 * @param chosen is offered, too: a newer one than the browser knows, or another name of one
 */
export function listTimeZones(chosen: string): { value: string; label: string }[] {
  supported ??= listSupported()
  const own = findReadersZone()
  const others = new Set([...supported, utc, chosen])
  others.delete(own)
  return [own, ...[...others].sort()].map((value) => ({ value, label: formatTimeZone(value) }))
}
