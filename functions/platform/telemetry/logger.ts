import { createHash } from 'node:crypto'
import { LoggableError } from '../errors.ts'

type Level = 'debug' | 'info' | 'warn' | 'error'

/**
 * The fields of a log line. This is an allow-list: other fields are not written, so that no user data, address or credential reaches a
 * log by accident.
 */
export interface LogFields {
  requestId?: string
  traceId?: string
  route?: string
  status?: number
  durationMs?: number
  /** hash of the user, from `userHash` */
  user?: string
  runId?: string
  runStatus?: string
  /** tokens of one reply, as the model counts them */
  inputTokens?: number
  outputTokens?: number
  count?: number
  failed?: number
  removed?: number
  skipped?: number
  code?: string
  model?: string
  shutdownDate?: string
  daysLeft?: number
  error?: unknown
}

const scalarFields = [
  'requestId',
  'traceId',
  'route',
  'status',
  'durationMs',
  'user',
  'runId',
  'runStatus',
  'inputTokens',
  'outputTokens',
  'count',
  'failed',
  'removed',
  'skipped',
  'code',
  'model',
  'shutdownDate',
  'daysLeft',
] as const satisfies readonly (keyof LogFields)[]

export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** a logger whose lines all carry these fields */
  with(fields: LogFields): Logger
}

/** A stable pseudonym of a user for logs. */
export function userHash(sub: string): string {
  return createHash('sha256').update(sub).digest('hex').slice(0, 12)
}

const secretLike = /\b(bearer\s+\S+|eyJ[\w-]{8,}(?:\.[\w-]*){0,2}|sk-[\w-]{8,}|code=[^&\s]+)/gi

const maxMessage = 500
/** more than is written, because a secret that is cut off may not look like one */
const maxReadMessage = 4_000
const maxFrame = 1_000

/** A line of a V8 stack trace. */
const stackFrame = /^ {4}at (?:(?:async |new )*[\w$.<>#[\] ]+ \()?(?:file:\/\/|node:|\/)[^\s()]*:\d+:\d+\)?$/

/**
 * The loggable parts of an error: names, codes, stack frames and causes. Messages are written for LoggableError only; others may contain
 * user data or addresses.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code, status } = error as { code?: unknown; status?: unknown }
  return {
    name: error.name,
    ...(error instanceof LoggableError && {
      message: error.message.slice(0, maxReadMessage).replace(secretLike, '[redacted]').slice(0, maxMessage),
    }),
    ...((typeof code === 'number' || isMachineWord(code)) && { code }),
    ...(typeof status === 'number' && { status }),
    stack: error.stack
      // the stack starts with the message, whose lines may look like stack frames
      ?.replace(error.message, '')
      .split('\n')
      .filter((line) => line.length <= maxFrame && stackFrame.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
    ...(error.cause !== undefined && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  }
}

/** A code such as ECONNREFUSED, UND_ERR_SOCKET, session_not_found. */
const isMachineWord = (code: unknown) => typeof code === 'string' && /^[A-Za-z_]{1,40}$/.test(code)

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error']

function createLogger(base: LogFields): Logger {
  const log = (level: Level, message: string, fields: LogFields = {}) => {
    const minLevel = process.env['LOG_LEVEL'] ?? 'info'
    if (minLevel === 'silent' || levels.indexOf(level) < levels.indexOf(minLevel as Level)) return
    const all = { ...base, ...fields }
    const line: Record<string, unknown> = { time: new Date().toISOString(), level, message }
    for (const field of scalarFields) if (all[field] !== undefined) line[field] = all[field]
    if (all.error !== undefined) line['error'] = describeError(all.error)
    // Lambda collects standard output
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, fields) => log('error', message, fields),
    with: (fields) => createLogger({ ...base, ...fields }),
  }
}

export const logger = createLogger({})
