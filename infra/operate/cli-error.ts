import { SetupError } from '../aws/setup-error.ts'

/**
 * Reports wrong arguments or a wrong configuration in one sentence, with exit code 2.
 * @throws every other error
 */
export function reportUsageError(error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException
  if (!(error instanceof SetupError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error
  fail(message)
}

/** Reports why a command cannot do its work, with exit code 2. */
export function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 2
}
