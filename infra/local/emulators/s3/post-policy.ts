import { accessDenied, S3Error } from './s3-error.ts'

/** The range of sizes that a POST policy allows for the file. */
export interface SizeRange {
  minBytes: number
  maxBytes: number
}

const failed = (condition: unknown) =>
  accessDenied(`Invalid according to Policy: Policy Condition failed: ${JSON.stringify(condition)}`)
const malformed = (message: string) => new S3Error('InvalidPolicyDocument', {}, `Invalid Policy: ${message}`)

const needsNoCondition = (name: string) =>
  ['x-amz-signature', 'policy', 'file', 'awsaccesskeyid'].includes(name) || name.startsWith('x-ignore-')

type Condition = [operation: string, field: string, value: string] | ['content-length-range', number, number]

function parseConditions(document: { conditions?: unknown }): Condition[] {
  if (!Array.isArray(document.conditions)) throw malformed("Policy missing 'conditions'.")
  return document.conditions.flatMap((condition: unknown): Condition[] => {
    if (Array.isArray(condition)) {
      const [operation, ...rest] = condition as [unknown, unknown, unknown]
      return [[String(operation).toLowerCase(), ...rest] as Condition]
    }
    if (typeof condition !== 'object' || condition === null) throw malformed('Invalid condition.')
    return Object.entries(condition).map(([name, value]) => ['eq', `$${name}`, String(value)])
  })
}

/**
 * Checks a form against its policy.
 * @param fields names in lower case, without the file; `bucket` is the bucket posted to
 * @returns the range of sizes for the file, which is checked while it arrives
 * @throws S3Error with S3's own messages
 */
export function checkPolicy(fields: ReadonlyMap<string, string>, bucket: string): SizeRange {
  let document: { expiration?: unknown; conditions?: unknown }
  try {
    document = JSON.parse(Buffer.from(fields.get('policy') ?? '', 'base64').toString('utf8')) as object
  } catch {
    throw malformed('Invalid JSON.')
  }
  const endMs = Date.parse(String(document.expiration))
  if (Number.isNaN(endMs)) throw malformed("Policy missing 'expiration'.")
  if (Date.now() > endMs) throw accessDenied('Invalid according to Policy: Policy expired.')

  const values = new Map([...fields, ['bucket', bucket]])
  const covered = new Set<string>()
  const sizeRange: SizeRange = { minBytes: 0, maxBytes: Number.POSITIVE_INFINITY }
  for (const condition of parseConditions(document)) {
    const [operation, field, value] = condition
    if (operation === 'content-length-range') {
      sizeRange.minBytes = Number(field)
      sizeRange.maxBytes = Number(value)
      continue
    }
    const name = String(field).replace(/^\$/, '').toLowerCase()
    const actual = values.get(name)
    covered.add(name)
    const holds =
      operation === 'eq'
        ? actual === value
        : operation === 'starts-with' && actual?.startsWith(String(value)) === true
    if (!holds) throw failed(condition)
  }
  const extra = [...fields.keys()].filter((name) => !needsNoCondition(name) && !covered.has(name))
  if (extra.length > 0)
    throw accessDenied(`Invalid according to Policy: Extra input fields: ${extra.join(', ')}`)
  return sizeRange
}
