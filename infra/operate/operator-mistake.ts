import { SetupError } from '../aws/setup-error.ts'

/**
 * Ends a command with one sentence and exit code 2 when what was typed is wrong.
 * @throws every other error
 */
export function tellMistake(error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException
  if (!(error instanceof SetupError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}
