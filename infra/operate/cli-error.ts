import { OperatorError } from '../aws/operator-error.ts'
import { cleanOutput } from './print-line.ts'

/**
 * Reports wrong arguments or a wrong configuration in one sentence, with exit code 2.
 * @throws every other error
 */
export function reportUsageError(error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException
  if (!(error instanceof OperatorError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error
  fail(message)
}

/** Reports why a command cannot do its work, with exit code 2. */
export function fail(message: string): void {
  process.stderr.write(`${cleanOutput(message)}\n`)
  process.exitCode = 2
}

/**
 * Reports what an operator can fix in one sentence, with exit code 2: wrong arguments, a wrong configuration, and what AWS refuses.
 * @throws every other error
 */
export function reportOperatorError(error: unknown): void {
  const explanation = explainServiceError(error as Error & { code?: string })
  if (explanation === undefined) reportUsageError(error)
  else fail(explanation)
}

/** @returns undefined for errors that the operator cannot fix */
function explainServiceError(error: Error & { code?: string }): string | undefined {
  if (error.message === 'Region is missing') return 'Set AWS_REGION to the region of the stage.'
  if (error.code === 'ECONNREFUSED') return 'The local product is not running. Start it with npm start.'
  // an error response of AWS, or no credentials
  if ('$metadata' in error || error.name === 'CredentialsProviderError')
    return `${error.name}: ${error.message}`
  return undefined
}
