/**
 * Whether arrays and objects nest deeper than this in a JSON text; strings are skipped, nothing is parsed. The engine's own parser
 * takes any depth, and whatever walks through the value afterwards runs out of stack.
 */
export function isDeeperThan(maxDepth: number, text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (inString) {
      if (unit === 0x5c) index += 1
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1
  }
  return false
}

/** Of JSON that strangers sent: no service nests deeper. */
export const maxUntrustedDepth = 64
