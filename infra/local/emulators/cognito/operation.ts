import * as z from 'zod'
import { CognitoError } from './errors.ts'
import type { Pool } from './pool.ts'

/** One operation of the service: checks its request and answers a JSON object, `{}` for no data. */
export interface Operation {
  /** Whether a request must carry a signature, as all administrative ones must. */
  isSigned: boolean
  run(pool: Pool, request: unknown): Promise<object>
}

/** An operation that anybody may call. */
export const openOperation = <S extends z.ZodType>(
  request: S,
  run: (pool: Pool, request: z.output<S>) => Promise<object> | object,
): Operation => ({ isSigned: false, run: async (pool, body) => run(pool, parse(request, body)) })

/** An operation for holders of AWS credentials. */
export const signedOperation = <S extends z.ZodType>(
  request: S,
  run: (pool: Pool, request: z.output<S>) => Promise<object> | object,
): Operation => ({ ...openOperation(request, run), isSigned: true })

/** Name and value pairs as the service writes them. */
export const attributeList = z.array(z.object({ Name: z.string(), Value: z.string().default('') }))

export const clientMetadata = z.record(z.string(), z.string()).optional()

/** A user name, `sub` or e-mail as the service takes it: no white space. */
export const userName = z.string().min(1).max(128).regex(/^\S+$/)

export const password = z.string().min(1).max(256)

export const accessToken = z.string().min(1)

export const mailedCode = z.string().min(1).max(2048).regex(/^\S+$/)

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') || 'request'
  if (issue?.code === 'invalid_type' && valueAt(body, issue.path) !== undefined)
    throw new CognitoError('SerializationException', `Value at '${field}' has the wrong type`)
  const constraint = issue?.code === 'invalid_type' ? 'Member must not be null' : issue?.message
  throw new CognitoError(
    'InvalidParameterException',
    `1 validation error detected: Value at '${field}' failed to satisfy constraint: ${constraint}`,
  )
}

function valueAt(body: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    body,
  )
}
