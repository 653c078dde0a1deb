const secretName = /pass(?:word|phrase|code)|secret|token|api[-_]?key|authorization|cookie|credential/i
const secretValue =
  /\b(?:sk|rk|pk)[-_](?:live|test|proj)?[-_]?\w{12,}|\bgh[pousr]_\w{20,}|\bxox[abprs]-[\w-]{10,}|\bBearer\s+[\w.~+/-]{12,}=*|\beyJ[\w-]{10,}(?:\.[\w-]*){0,2}/g
/** `password: abc` within a text, as in a mail or an address. */
const namedSecret =
  /\b((?:pass(?:word|wort|phrase|code)|kennwort|contraseña|senha|mot de passe|secret|token|api[ _-]?key)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"'&,;]{4,200}/gi
const mask = '••••••••'
const maxDepth = 6

/** A copy in which values that look like secrets, by name or by value, are masked. */
export function maskSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(secretValue, mask).replace(namedSecret, `$1${mask}`)
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
