import * as z from 'zod'
import { CognitoError } from './errors.ts'
import type { Pool } from './pool.ts'
import type { PoolUser } from './pool-store.ts'

/** One operation of the service: checks its request and returns a JSON object, `{}` for no data. */
export interface Operation {
  /** Whether requests must be signed, as all administrative ones must. */
  isSigned: boolean
  run(pool: Pool, request: unknown): Promise<object>
}

export const openOperation = <S extends z.ZodType>(
  request: S,
  run: (pool: Pool, request: z.output<S>) => Promise<object> | object,
): Operation => ({ isSigned: false, run: async (pool, body) => run(pool, parse(request, body)) })

/** An operation for holders of AWS credentials. */
export const signedOperation = <S extends z.ZodType>(
  request: S,
  run: (pool: Pool, request: z.output<S>) => Promise<object> | object,
): Operation => ({ ...openOperation(request, run), isSigned: true })

/**
 * An operation for the holder of an access token. The user is loaded in the same tick in which `run` starts, so
 * what `run` writes before its first await overwrites no concurrent change.
 */
export const userOperation = <S extends z.ZodType<{ AccessToken: string }>>(
  request: S,
  run: (pool: Pool, user: PoolUser, request: z.output<S>) => Promise<object> | object,
): Operation =>
  openOperation(request, (pool, body) =>
    pool.tokens.withUser(body.AccessToken, (user) => run(pool, user, body)),
  )

/** Name and value pairs as the service writes them. */
export const attributeList = z.array(z.object({ Name: z.string(), Value: z.string().default('') }))

export const clientMetadata = z.record(z.string(), z.string()).optional()

/** A user name, `sub` or e-mail, without white space. */
export const userName = z.string().min(1).max(128).regex(/^\S+$/)

export const password = z.string().min(1).max(256)

/** The common part of every user operation's request. */
export const accessTokenInput = z.object({ AccessToken: z.string().min(1) })

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
