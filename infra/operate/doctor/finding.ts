/** The result of a check: severity, what was found, and what to do next. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly found: string
  readonly next?: string
}

export const ok = (found: string): Finding => ({ level: 'ok', found })
export const warning = (found: string, next: string): Finding => ({ level: 'warning', found, next })
export const problem = (found: string, next: string): Finding => ({ level: 'problem', found, next })

/** A finding as lines for a terminal. */
export function formatFinding(name: string, { level, found, next }: Finding): string {
  return `${level.padEnd(8)} ${name}: ${found}${next === undefined ? '' : `\n         → ${next}`}\n`
}

export const errorName = (error: unknown) => (error instanceof Error ? error.name : '')
export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** @returns undefined when AWS answers with this error: what is asked for does not exist */
export async function findExisting<Response>(
  sent: Promise<Response>,
  notFound: string,
): Promise<Response | undefined> {
  try {
    return await sent
  } catch (error) {
    if (errorName(error) === notFound) return undefined
    throw error
  }
}

/** Error codes of Node's sockets and resolver, and the SDK's time-out. */
const unreachableCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'TimeoutError',
])

/** Whether there was no response from AWS. */
export function isUnreachable(error: unknown): boolean {
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  // a host with several addresses fails once for each of them
  if (Array.isArray(errors) && errors.some(isUnreachable)) return true
  return unreachableCodes.has(String(code)) || unreachableCodes.has(errorName(error))
}

const deniedErrors = new Set(['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation'])

/** Whether AWS refuses a call for lack of permission. */
export const isDenied = (error: unknown) => deniedErrors.has(errorName(error))

/** The finding of a check that failed for a general reason: network, permissions, other errors. */
export function explainFailure(error: unknown): Finding {
  if (isUnreachable(error))
    return problem(
      `AWS could not be reached (${errorMessage(error)}).`,
      'Check the network and any proxy, then run npm run doctor again.',
    )
  // the deploying user may have fewer permissions than the roles of the CDK bootstrap
  if (isDenied(error))
    return warning(
      `not checked, because these credentials lack the permission: ${errorMessage(error)}`,
      'Grant the permission, or check by hand.',
    )
  return problem(`${errorName(error)}: ${errorMessage(error)}`, 'Fix this and run npm run doctor again.')
}
