/** What a check says: how bad it is, what was found, and what to do next. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly found: string
  readonly next?: string
}

export const ok = (found: string): Finding => ({ level: 'ok', found })
export const warning = (found: string, next: string): Finding => ({ level: 'warning', found, next })
export const problem = (found: string, next: string): Finding => ({ level: 'problem', found, next })

/** One check's findings as lines for a terminal: a mark, the check's name, what was found, what to do. */
export function formatFinding(name: string, { level, found, next }: Finding): string {
  return `${level.padEnd(8)} ${name}: ${found}${next === undefined ? '' : `\n         → ${next}`}\n`
}

/** As errors of the SDK, of the system and of the credential chain have it in common. */
export const errorName = (error: unknown) => (error instanceof Error ? error.name : '')
export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Of Node's sockets and its resolver, and of the SDK's own time-outs. */
const unreachable = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'TimeoutError',
])

/** Whether AWS did not answer at all. */
export function isUnreachable(error: unknown): boolean {
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  // a host with several addresses fails once for each of them
  if (Array.isArray(errors) && errors.some(isUnreachable)) return true
  return unreachable.has(String(code)) || unreachable.has(errorName(error))
}

const denied = new Set(['AccessDenied', 'AccessDeniedException', 'UnauthorizedOperation'])

export const isDenied = (error: unknown) => denied.has(errorName(error))

/** What a check that failed for a reason of no particular meaning to it has to say. */
export function explainFailure(error: unknown): Finding {
  if (isUnreachable(error))
    return problem(
      `AWS could not be reached (${errorMessage(error)}).`,
      'Look after the network, or a proxy in between, and run npm run doctor again.',
    )
  // who deploys may do less than the roles that the bootstrap made for it
  if (isDenied(error))
    return warning(
      `not checked, because these credentials may not look there: ${errorMessage(error)}`,
      'Allow it, or look there yourself.',
    )
  return problem(
    `${errorName(error)}: ${errorMessage(error)}`,
    'Put that right and run npm run doctor again.',
  )
}
