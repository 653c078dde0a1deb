import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

interface LogLine {
  level: string
  message: string
  route?: string
  error?: { name?: string; message?: string; cause?: { message?: string } }
}

/**
 * Collects the functions' logs and metrics, which on Lambda are their standard output: structured lines go to a file, errors to
 * the terminal as well. Other output is not changed.
 */
export function collectFunctionLogs(file: string): void {
  const append = openLogFile(file)
  divertFunctionLogs((chunk, line) => {
    append(chunk)
    if (line?.level === 'error') process.stderr.write(`${formatErrorLine(line)} (${file})\n`)
  })
}

/** Keeps the functions' logs and metrics from standard output, where other programs read results. @param take gets them instead */
export function divertFunctionLogs(
  take: (chunk: string | Uint8Array, line: LogLine | undefined) => void,
): void {
  const print = process.stdout.write.bind(process.stdout)
  process.stdout.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    const line = typeof chunk === 'string' ? parseLine(chunk) : undefined
    if (!line && !isMetricLine(chunk)) return print(chunk, ...rest)
    take(chunk, line)
    return true
  }) as typeof process.stdout.write
}

/**
 * A file that is rotated when it is full; only the previous one is kept, as `….1`.
 */
export function openLogFile(
  file: string,
  fullBytes = 16 * 1024 * 1024,
): (chunk: string | Uint8Array) => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  let bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return (chunk) => {
    if (bytes >= fullBytes) {
      if (existsSync(file)) renameSync(file, `${file}.1`)
      bytes = 0
    }
    appendFileSync(file, chunk, { mode: 0o600 })
    bytes += Buffer.byteLength(chunk)
  }
}

/** A line of CloudWatch's embedded metric format. */
const isMetricLine = (chunk: string | Uint8Array) => typeof chunk === 'string' && chunk.startsWith('{"_aws":')

function parseLine(chunk: string): LogLine | undefined {
  if (!chunk.startsWith('{"time":')) return undefined
  try {
    return JSON.parse(chunk) as LogLine
  } catch {
    // JSON output that is not a log line
    return undefined
  }
}

function formatErrorLine({ message, route, error }: LogLine): string {
  const reasons = [error?.message, error?.cause?.message].filter((reason) => reason !== undefined)
  return ['error', route, [message, ...reasons].join(': ')].filter((part) => part !== undefined).join(' ')
}
