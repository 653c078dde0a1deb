import { findReadersZone, formatTimeZone } from '../../lib/text/time-zone.ts'

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
  // one that has two names is there once: as it was chosen, or as the browser has it
  const byLabel = new Map(
    [...supported, utc, findReadersZone(), chosen].map((zone) => [formatTimeZone(zone), zone]),
  )
  const own = formatTimeZone(findReadersZone())
  const labels = [own, ...[...byLabel.keys()].filter((label) => label !== own).sort()]
  return labels.map((label) => ({ value: byLabel.get(label) ?? label, label }))
}
