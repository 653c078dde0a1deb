const secretName = /pass(?:word|phrase|code)|secret|token|api[-_]?key|authorization|cookie|credential/i
const secretValue =
  /\b(?:sk|rk|pk)[-_](?:live|test|proj)?[-_]?\w{12,}|\bgh[pousr]_\w{20,}|\bxox[abprs]-[\w-]{10,}|\bBearer\s+[\w.~+/-]{12,}=*|\beyJ[\w-]{10,}(?:\.[\w-]*){0,2}/g
const mask = '••••••••'
const maxDepth = 6

/** A copy in which values that look like secrets, by their name or by themselves, are not shown. */
export function maskSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(secretValue, mask)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value)) return value.map((each) => maskSecrets(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      secretName.test(name) && (typeof each === 'string' || typeof each === 'number')
        ? mask
        : maskSecrets(each, depth + 1),
    ]),
  )
}
